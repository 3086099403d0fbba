import type { OpenAPIRouter } from 'openapi-backend';
import { createPathTable } from './path-table.ts';

/** Says which methods a path has, as the Allow header lists them (RFC 9110, section 10.2.1); undefined for unknown paths. */
export type AllowedMethods = (path: string) => string | undefined;

/**
 * Has openapi-backend find operations and read requests by a table that is made once. Its own way makes the list of
 * operations and the patterns of their paths anew, several times for every request.
 */
export function routeByTable(router: OpenAPIRouter): AllowedMethods {
  const operations = router.getOperations();
  const place = createPathTable(
    operations.map((operation) => ({ path: operation.path, method: operation.method, operation })),
  );
  const paramsOf = (path: string): Record<string, string> => ({ ...place(path)?.params });

  router.getOperations = () => operations;
  router.matchOperation = ({ path, method }) => {
    const found = place(path);
    const operation = found?.operations.get(method.toLowerCase());
    // How openapi-backend tells the one from the other.
    if (operation === undefined)
      throw new Error(found === undefined ? '404-notFound' : '405-methodNotAllowed');
    return operation;
  };
  // Node has written the names of headers small, and `dispatch` has read the query; the contract has no cookies.
  router.parseRequest = (request) => ({
    ...request,
    query: typeof request.query === 'object' ? { ...request.query } : {},
    params: paramsOf(request.path),
    cookies: {},
    requestBody: request.body as unknown,
  });
  return (path) => {
    const found = place(path);
    return found === undefined ? undefined : methodsOf(found.operations);
  };
}

const methodNames: Readonly<Record<string, readonly string[]>> = {
  get: ['GET', 'HEAD'],
  post: ['POST'],
  put: ['PUT'],
  delete: ['DELETE'],
};

function methodsOf(operations: ReadonlyMap<string, unknown>): string {
  return [...operations.keys()]
    .flatMap((method) => methodNames[method] ?? [])
    .concat('OPTIONS')
    .join(', ');
}
