import { exampleOf, type MockDocument, type MockOperation } from './mock-example.ts';
import type { ErrorCode } from './resources.ts';

export type { MockDocument } from './mock-example.ts';

/**
 * Returns a `fetch` that answers requests with the examples of the contract, inside a test or a page. MSW handlers can
 * call it too. Pass the `mock.json` of this package, and `renderSvg` of `@worktable/charts/svg` to draw SVG charts.
 *
 * @example
 * import { createClient } from '@worktable/sdk';
 * import { createMock, type MockDocument } from '@worktable/sdk/mock';
 *
 * const document: MockDocument = await (await fetch('/mock.json')).json();
 * const client = createClient({ baseUrl: 'http://mock', token: 'any', fetch: createMock(document) });
 * console.log(await client.tasks.list().toArray());
 */
export function createMock(document: MockDocument, renderSvg?: (chart: never) => string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const operation = findOperation(document, request);
    if (operation === undefined) return problem(404, 'Not Found', 'Not found', noOperation);
    const response = exampleOf(document, operation, request);
    if (!renderSvg || !operation.path.endsWith('/render/svg') || !response.ok) return response;
    try {
      // Not validated, because `renderSvg` throws for an invalid chart.
      const svg = renderSvg((await request.json()) as never);
      const isJson = response.headers.get('Content-Type') === 'application/json';
      return new Response(isJson ? JSON.stringify({ svg }) : svg, response);
    } catch (error) {
      return problem(400, 'Bad Request', 'VALIDATION_ERROR', String(error));
    }
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

const noOperation = 'The contract has no operation with this method and path.';

function problem(status: number, title: string, code: ErrorCode, detail: string): Response {
  return Response.json(
    { type: 'about:blank', title, status, detail, code, error: code, request_id: 'mock' },
    { status, headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'mock' } },
  );
}
