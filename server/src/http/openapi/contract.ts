import type { ErrorObject } from 'ajv';
import type { Context } from 'koa';
import { OpenAPIBackend, type Document, type Handler, type HandlerMap, type Request } from 'openapi-backend';
import document from '../../generated/openapi.json' with { type: 'json' };
import { validationError, type InvalidField } from '../../errors.ts';
import type { InternalRequest, OperationId } from '../../operation.ts';
import { assertStorable } from './invalid-requests.ts';
import { dropUnknown } from './drop-unknown.ts';
import { queryDefaults } from './query.ts';
import { TreeRouter } from './openapi-router.ts';
import { errorsOf, validatorsOf, type Validators } from './validators.ts';

/** An operation of the contract with its references resolved, as far as it is used here. */
export interface ContractOperation {
  readonly operationId: OperationId;
  readonly path: string;
  readonly method: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface JsonContent {
  readonly 'application/json': { readonly schema: Schema };
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: JsonContent;
}

/** The parts of a schema that are read outside of validation. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** The Allow header of a path; undefined for unknown paths. */
export type AllowedMethods = (path: string) => string | undefined;

/** What openapi-backend passes to a step of a request. */
export interface OperationContext {
  /** Undefined where no operation has the path and method. */
  readonly operation?: ContractOperation;
  readonly request: { readonly params: unknown; readonly headers: unknown };
  readonly security: { readonly authorized: boolean; readonly bearer: unknown };
  readonly validation: { readonly errors?: ErrorObject[] | null };
}

export type Step = (context: OperationContext, ctx: Context, request: Request) => unknown;

/** Takes a request through the steps of its operation and resolves to what its handler returned. */
type HandleRequest = (request: Request, ctx: Context) => Promise<unknown>;

/** The parts of a request that the contract describes, with its defaults. */
type ValidParts = Required<Omit<InternalRequest, 'caller'>>;

export type Steps = Readonly<Record<string, Step>> & { readonly bearer: Step };

export interface Contract {
  readonly allowedMethods: AllowedMethods;
  /** The operation that answers this path and method; undefined if there is none. */
  readonly operationAt: (path: string, method: string) => OperationId | undefined;
  /** An operation with its references resolved. */
  readonly operation: (id: OperationId) => ContractOperation;
  /** Answers requests by these steps: hooks and operations by their names, and `bearer`, the security handler. */
  serve(steps: Steps): HandleRequest;
  /** The errors of a request that validation refused at the first one, over at most 300 entries of each list. */
  readonly errorsOf: (
    operation: ContractOperation,
    request: Request,
    first: readonly ErrorObject[],
  ) => InvalidField[];
  /** Validates a request from inside the server; throws a Problem unless the contract allows it. */
  validate(id: OperationId, request: InternalRequest): ValidParts;
}

/** openapi-backend on the bundled contract, with every validator compiled. */
export async function openContract(): Promise<Contract> {
  const api = new OpenAPIBackend({
    // The JSON module's type is that of its literal; `generate` has checked that it is an OpenAPI document.
    definition: structuredClone(document) as unknown as Document,
    // Its own check of documents knows OpenAPI 3.0 only.
    quick: true,
    strict: true,
    // `serve` replaces these. Commands that only validate need none.
    handlers: { validationFail: () => undefined, unauthorizedHandler: () => undefined },
    securityHandlers: { bearer: () => undefined },
  });
  await api.init();
  const router = new TreeRouter(api.definition);
  api.router = router;
  const validators = validatorsOf(api.definition, router);
  api.validator = validators.first;

  return {
    allowedMethods: (path) => router.allowedMethods(path),
    // `generate` has checked that each operation has an id, from which the type is made.
    operationAt: (path, method) => router.operationAt(path, method)?.operationId as OperationId | undefined,
    operation: (id) => operationIn(api, id),
    serve: ({ bearer, ...steps }) => {
      // `OperationContext` narrows openapi-backend's context to what this contract guarantees.
      api.register(steps as unknown as HandlerMap);
      api.registerSecurityHandler('bearer', bearer as unknown as Handler);
      return (request, ctx) => api.handleRequest(request, ctx, request);
    },
    errorsOf: (...refused) => errorsOf(validators, ...refused),
    validate: (id, request) => validate(validators, operationIn(api, id), request),
  };
}

/** openapi-backend types its operations as documents have them, and finds this one by its id. */
function operationIn(api: OpenAPIBackend, id: OperationId): ContractOperation {
  return api.router.getOperation(id) as unknown as ContractOperation;
}

function validate(
  validators: Validators,
  operation: ContractOperation,
  { path = {}, query = {}, headers = {}, body }: InternalRequest,
): ValidParts {
  const queryWithDefaults = { ...queryDefaults(operation), ...query };
  const concretePath = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(pathParameter(path, name)),
  );
  dropUnknown(operation, { query, body });
  assertStorable({ query });
  assertStorable(body);
  const parts = { method: operation.method, path: concretePath, headers, query: queryWithDefaults, body };
  // openapi-backend types the query as text, but the contract has other types too.
  const request = parts as unknown as Request;
  const { errors } = validators.first.validateRequest(request, operation.operationId);
  if (errors !== null && errors !== undefined && errors.length > 0)
    throw validationError(errorsOf(validators, operation, request, errors));
  return { path, query: queryWithDefaults, headers, body };
}

/** A path parameter. Over HTTP it always exists, and is text that can be percent-encoded. */
function pathParameter(path: Readonly<Record<string, unknown>>, name: string): string {
  const value = path[name];
  const pointer = `/path/${name}`;
  if (value === undefined || value === '')
    throw validationError([{ pointer, code: 'required', detail: 'is required' }]);
  if (typeof value !== 'string')
    throw validationError([{ pointer, code: 'wrong_type', detail: 'must be a string' }]);
  if (!value.isWellFormed())
    throw validationError([
      { pointer, code: 'unsupported_character', detail: 'must not contain lone surrogates' },
    ]);
  return value;
}
