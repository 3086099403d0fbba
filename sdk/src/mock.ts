import { exampleOf, type MockDocument, type MockOperation } from './mock-example.ts';

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
  return (request) => {
    const operation = findOperation(document, request);
    return Promise.resolve(operation ? exampleOf(document, operation, request) : notFound());
  };
}

/**
 * The operation whose path matches the end of the request's path, because the base URL may have a prefix. If several
 * paths match, the one with the fewest parameters.
 */
function findOperation({ paths }: MockDocument, { method, url }: Request): MockOperation | undefined {
  const { pathname } = new URL(url);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // The cast holds because each operation of the document has responses.
  const operations = Object.entries(paths).flatMap(([path, { [verb]: operation }]) =>
    operation === undefined ? [] : [{ ...(operation as Pick<MockOperation, 'responses'>), path }],
  );
  return operations
    .filter(({ path }) => new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}/*$`).test(pathname))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

function notFound(): Response {
  const [code, detail] = ['Not found', 'The contract has no operation with this method and path.'];
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail };
  return Response.json(
    { ...problem, code, error: code, request_id: 'mock' },
    { status: 404, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'mock' } },
  );
}
