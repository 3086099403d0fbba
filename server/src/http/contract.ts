import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Context } from 'koa';
import { OpenAPIBackend, type Document, type Handler, type HandlerMap, type Request } from 'openapi-backend';
import document from '../generated/openapi.json' with { type: 'json' };
import { refusedFields } from '../errors.ts';
import type { InsideRequest, OperationId } from '../operations.ts';
import { limitArrays } from './array-limits.ts';
import { queryDefaults, queryParameters } from './query.ts';
import { routeByTable, type AllowedMethods } from './routing.ts';
import { validationProblem } from './validation.ts';

/** An operation of the contract with its references resolved, as far as it is used here. */
export interface Operation {
  readonly operationId: OperationId;
  readonly path: string;
  readonly method: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } };
  };
}

/** What is read of a schema beside its validation. */
export interface Schema {
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: unknown; readonly default?: unknown };
}

/** What openapi-backend tells a step about a request. */
export interface OperationContext {
  readonly operation: Operation;
  readonly request: { readonly params: unknown; readonly headers: unknown };
  readonly security: { readonly authorized: boolean; readonly bearer: unknown };
  readonly validation: { readonly errors?: ErrorObject[] | null };
}

export type Step = (context: OperationContext, ctx: Context, request: Request) => unknown;

/** Takes a request through the steps of its operation and resolves to what its handler returned. */
export type HandleRequest = (request: Request, ctx: Context) => Promise<unknown>;

export interface Contract {
  readonly allowedMethods: AllowedMethods;
  /** Answers requests with the steps and handlers; `bearer` says who a request speaks for. */
  serve(steps: Record<string, Step>, bearer: Step): HandleRequest;
  /** Holds a request from inside the server against its operation; throws a Problem unless it fits. */
  validate(id: OperationId, request: InsideRequest): Pick<InsideRequest, 'path' | 'query' | 'body'>;
}

// `parseQuery` has typed the parameters; Ajv's coercion would let values such as 0x10 through as integers.
const validation = {
  strict: false,
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strictNumbers: true,
  coerceTypes: false,
};

/** openapi-backend on the bundled contract, with every validator compiled. */
export async function openContract(): Promise<Contract> {
  // One for all operations: openapi-backend would make one for each, and each costs more than what it compiles.
  const ajv = addFormats.default(new Ajv2020(validation));
  const api = new OpenAPIBackend({
    // The JSON module's type is that of its literal; `generate` has checked that it is an OpenAPI document.
    definition: structuredClone(document) as unknown as Document,
    // Its own check of documents knows OpenAPI 3.0 only.
    quick: true,
    strict: true,
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- OpenAPI 3.1 needs Ajv's core for JSON Schema 2020; it has the same interface.
    customizeAjv: () => ajv,
    // Those that it makes all the same need not be able to do anything.
    ajvOpts: { meta: false },
    // Who only validates needs none; those who serve bring theirs.
    handlers: { validationFail: () => undefined, unauthorizedHandler: () => undefined },
    securityHandlers: { bearer: () => undefined },
  });
  await api.init();
  api.validator.preCompileRequestValidators();

  return {
    allowedMethods: routeByTable(api.router),
    serve: (steps, bearer) => {
      // The steps see openapi-backend's context narrowed to what this contract makes it be.
      api.register(steps as unknown as HandlerMap);
      api.registerSecurityHandler('bearer', bearer as unknown as Handler);
      return (request, ctx) => api.handleRequest(request, ctx, request);
    },
    validate: (id, request) => validate(api, id, request),
  };
}

function validate(
  api: OpenAPIBackend,
  id: OperationId,
  { path = {}, query = {}, body }: InsideRequest,
): Pick<InsideRequest, 'path' | 'query' | 'body'> {
  // openapi-backend types its operations as documents have them, and finds this one by its id.
  const operation = api.router.getOperation(id) as unknown as Operation;
  const filled = { ...queryDefaults(operation), ...query };
  const concrete = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(textOf(path, name)),
  );
  limitArrays(operation, body);
  const request = { method: operation.method, path: concrete, headers: {}, query: filled, body };
  const { errors } = api.validator.validateRequest(request as unknown as Request, id);
  if (errors !== null && errors !== undefined && errors.length > 0) {
    throw validationProblem(errors, [...queryParameters(operation).keys()]);
  }
  return { path, query: filled, body };
}

/** A value of the path, which over HTTP is always there and text. */
function textOf(path: Readonly<Record<string, unknown>>, name: string): string {
  const value = path[name];
  if (typeof value === 'string' && value !== '') return value;
  const detail = typeof value === 'string' || value === undefined ? 'is required' : 'must be string';
  throw refusedFields([{ pointer: `/path/${name}`, detail }]);
}
