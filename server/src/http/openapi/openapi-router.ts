import {
  OpenAPIRouter,
  type Document,
  type Operation,
  type ParsedRequest,
  type Request,
} from 'openapi-backend';
import { createPathRouter, type RouteMatch } from './path-router.ts';

/**
 * Finds operations by a tree of path segments that is built once. The router of openapi-backend builds the list of
 * operations and the patterns of their paths again, several times for every request.
 */
export class TreeRouter extends OpenAPIRouter {
  readonly #operations: Operation[];
  readonly #match: (path: string) => RouteMatch<Operation> | undefined;

  constructor(definition: Document) {
    super({ definition, apiRoot: '/' });
    this.#operations = super.getOperations();
    this.#match = createPathRouter(
      this.#operations.map((operation) => ({ path: operation.path, method: operation.method, operation })),
    );
  }

  /** The methods of a path, as the Allow header lists them (RFC 9110, section 10.2.1); undefined for unknown paths. */
  allowedMethods(path: string): string | undefined {
    const match = this.#match(path);
    return match === undefined ? undefined : methodsOf(match.operations);
  }

  /** The operation that answers this path and method; undefined if there is none. */
  operationAt(path: string, method: string): Operation | undefined {
    return this.#match(path)?.operations.get(method === 'HEAD' ? 'get' : method.toLowerCase());
  }

  override getOperations(): Operation[] {
    return this.#operations;
  }

  override matchOperation({ path, method }: Request): Operation {
    const match = this.#match(path);
    const operation = match?.operations.get(method.toLowerCase());
    // openapi-backend recognises the two cases by the beginning of the message.
    if (operation === undefined)
      throw new Error(match === undefined ? '404-notFound' : '405-methodNotAllowed');
    return operation;
  }

  /** Node has written the names of headers in lower case, the dispatcher has read the query, and the contract has no cookies. */
  override parseRequest(request: Request): ParsedRequest {
    return {
      ...request,
      query: typeof request.query === 'object' ? { ...request.query } : {},
      params: { ...this.#match(request.path)?.params },
      cookies: {},
      requestBody: request.body as unknown,
    };
  }
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
