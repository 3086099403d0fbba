import {
  OpenAPIRouter,
  type Document,
  type Operation,
  type ParsedRequest,
  type Request,
} from 'openapi-backend';
import type { OperationId } from '../operation.ts';
import { createPathRouter, type RouteMatch } from './path-router.ts';
import type { ContractOperation } from './schema.ts';

/** The operation that a request is for, and the parameters of its path, decoded. */
export interface Route {
  readonly operation: ContractOperation;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Finds operations by a tree of path segments that is built once. The router of openapi-backend creates the patterns of all
 * paths for every request: 50 microseconds, a third of the time of a small request.
 */
export class ContractRouter extends OpenAPIRouter {
  readonly #match: (path: string) => RouteMatch<ContractOperation> | undefined;
  readonly #byId: ReadonlyMap<string, Operation>;

  constructor(definition: Document) {
    super({ definition, apiRoot: '/' });
    const operations = super.getOperations();
    this.#byId = new Map(operations.map((operation) => [operation.operationId ?? '', operation]));
    this.#match = createPathRouter(
      operations.map((operation) => {
        const { path, method } = operation;
        return { path, method, operation: asContractOperation(operation) };
      }),
    );
  }

  /** The operation of a request and the parameters of its path; undefined if there is none. HEAD is answered as GET. */
  find(method: string, path: string): Route | undefined {
    const match = this.#match(path);
    const operation = match?.byMethod.get(method === 'HEAD' ? 'get' : method.toLowerCase());
    return match && operation && { operation, path: match.params };
  }

  /** The methods of a path, as the Allow header lists them (RFC 9110, section 10.2.1); undefined for unknown paths. */
  allowedMethods(path: string): string | undefined {
    const match = this.#match(path);
    return match === undefined ? undefined : methodsOf(match.byMethod);
  }

  /** An operation with its references resolved. */
  operation(id: OperationId): ContractOperation {
    return asContractOperation(this.getOperation(id));
  }

  override getOperation(id: string): Operation | undefined {
    return this.#byId.get(id);
  }

  /** The validator reads a request by this method. The requests of this server have been read already. */
  override parseRequest(request: Request): ParsedRequest {
    const requestBody: unknown = request.body;
    return { ...request, cookies: {}, requestBody } as unknown as ParsedRequest;
  }
}

/** `generate` has checked each operation against this type; openapi-backend adds its path and method. */
function asContractOperation(operation: unknown): ContractOperation {
  return operation as ContractOperation;
}

const methodNames: Readonly<Record<string, readonly string[]>> = {
  get: ['GET', 'HEAD'],
  post: ['POST'],
  put: ['PUT'],
  delete: ['DELETE'],
};

function methodsOf(byMethod: ReadonlyMap<string, unknown>): string {
  return [...byMethod.keys()]
    .flatMap((method) => methodNames[method] ?? [])
    .concat('OPTIONS')
    .join(', ');
}
