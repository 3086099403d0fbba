import { findExample, streamOf, type MockDocument, type MockRequest } from './mock-example.ts';

export type { MockDocument } from './mock-example.ts';

/**
 * Answers requests with the examples of the contract, like the mock server, inside a test or a page. Pass it the
 * `mock.json` of this package. The result is a `fetch` for `createClient`, and also a resolver for handlers of MSW.
 *
 * @example
 * import { createClient } from '@worktable/sdk';
 * import { createMock, type MockDocument } from '@worktable/sdk/mock';
 *
 * const document: MockDocument = await (await fetch('/mock.json')).json();
 * const client = createClient({ baseUrl: 'http://mock', token: 'any', fetch: createMock(document) });
 * console.log(await client.tasks.list().toArray());
 */
export function createMock(document: MockDocument): (request: Request) => Promise<Response> {
  return (request) => Promise.resolve(answer(document, request));
}

function answer(document: MockDocument, { url, method, headers }: Request): Response {
  const { pathname, searchParams } = new URL(url);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const path = findPath(document, pathname, verb);
  if (path === undefined) return notFound();
  const hasToken = /^Bearer +\S/i.test(headers.get('Authorization') ?? '');
  const request: MockRequest = {
    path,
    method: verb,
    queryOf: (name) => searchParams.get(name) ?? '',
    headerOf: (name) => (name === 'Prefer' && !hasToken ? 'code=401' : (headers.get(name) ?? '')),
  };
  const { status, headers: given, mediaType, value } = findExample(document, request);
  const init = { status, headers: { ...given, ...(mediaType && { 'Content-Type': mediaType }) } };
  return new Response(
    mediaType === undefined || method === 'HEAD' ? null : bodyOf(value, mediaType, request),
    init,
  );
}

/**
 * The contract's path that matches the end of `pathname`, because the base URL may have a prefix. If several paths
 * match, the one with the fewest parameters.
 */
function findPath({ paths }: MockDocument, pathname: string, method: string): string | undefined {
  const [path] = Object.keys(paths)
    .filter((each) => Object.hasOwn(paths[each] ?? {}, method))
    .filter((each) => new RegExp(`${each.replaceAll(/\{\w+\}/g, '[^/]+')}/*$`).test(pathname))
    .sort((a, b) => a.split('{').length - b.split('{').length);
  return path;
}

function bodyOf(
  value: unknown,
  mediaType: string,
  request: MockRequest,
): ConstructorParameters<typeof Response>[0] {
  if (typeof value !== 'string' || mediaType.endsWith('json')) return JSON.stringify(value);
  if (mediaType === 'text/event-stream') return streamOf(value, request);
  if (mediaType === 'image/svg+xml') return value;
  return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
}

function notFound(): Response {
  const [code, detail] = ['Not found', 'The contract has no operation with this method and path.'];
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail };
  return Response.json(
    { ...problem, code, error: code, request_id: 'mock' },
    { status: 404, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'mock' } },
  );
}
