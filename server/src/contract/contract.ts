import { OpenAPIBackend, type Document, type Handler, type Request } from 'openapi-backend';
import { fieldErrorsMax, Problem, validationError, type InvalidField } from '../errors.ts';
import document from '../generated/openapi.json' with { type: 'json' };
import type { Call, OperationId, Planned, RequestParts, ResponseContext } from '../operation.ts';
import { unstorableTexts } from '../storable-text.ts';
import { dropUnknown } from './drop-unknown.ts';
import { ContractRouter, type Route } from './router.ts';
import type { ContractOperation } from './schema.ts';
import { errorsOf, validatorsOf } from './validators.ts';

/** The checks of a body that its schema cannot express. */
interface BodyChecks {
  /** Finds further errors of a body that its schema refuses, with the defaults in the place of refused fields. */
  readonly findErrors?: (body: never) => readonly InvalidField[];
  /** False if texts of the body may have characters that Postgres cannot store. */
  readonly storesText?: false;
}

export interface Contract {
  /** The methods of a path, as the Allow header lists them; undefined for unknown paths. */
  readonly allowedMethods: (path: string) => string | undefined;
  /** The operation of a request; undefined if there is none. */
  readonly findRoute: (method: string, path: string) => Route | undefined;
  /** The operation of a request. Throws a Problem if there is none. */
  readonly getRoute: (method: string, path: string) => Route;
  /** An operation with its references resolved. */
  readonly operation: (id: OperationId) => ContractOperation;
  /** The handler that is registered for an operation. */
  readonly handlerOf: (id: OperationId) => RegisteredHandler;
  /** Removes unknown fields and fills in defaults, in place. Throws a Problem unless the contract allows the rest. */
  readonly validate: (id: OperationId, parts: RequestParts, checks?: BodyChecks) => Required<RequestParts>;
}

/** The handlers of the operations by their ids. */
type Handlers = Readonly<Record<string, { readonly handle: unknown }>>;

/** The handler of an operation that is known only at run time. The contract has validated its arguments. */
type RegisteredHandler = (
  call: Call<OperationId>,
  services: unknown,
  response: ResponseContext,
) => Planned<OperationId> | Promise<Planned<OperationId>>;

/** openapi-backend on the bundled contract, with every validator compiled. */
export async function openContract(operations: Handlers = {}): Promise<Contract> {
  const api = new OpenAPIBackend({
    // TypeScript types a JSON module by its literal; `generate` has checked that it is an OpenAPI document.
    definition: structuredClone(document) as unknown as Document,
    // openapi-backend's own check of documents knows OpenAPI 3.0 only.
    quick: true,
    // `validatorsOf` makes its validator.
    validate: false,
    handlers: Object.fromEntries(
      Object.entries(operations).map(([id, { handle }]) => [id, asHandler(handle)]),
    ),
  });
  await api.init();
  const router = new ContractRouter(api.definition);
  const validators = validatorsOf(api.definition, router);
  return {
    allowedMethods: (path) => router.allowedMethods(path),
    findRoute: (method, path) => router.find(method, path),
    getRoute: (method, path) => router.find(method, path) ?? throwNoRoute(router.allowedMethods(path)),
    operation: (id) => router.operation(id),
    handlerOf: (id) => (api.handlers[id] ?? throwNoHandler(id)) as unknown as RegisteredHandler,
    validate: (id, { path = {}, query = {}, headers = {}, body }, checks = {}) => {
      const operation = router.operation(id);
      assertStorable({ query });
      // An id with a NUL is 404, because nothing has such an id. No request can name a lone surrogate.
      if (!Object.values(path).every(isWellFormed)) assertStorable({ path });
      if (checks.storesText !== false) assertStorable(body);
      dropUnknown(operation, { query, body });
      // openapi-backend types parameters as text, but the contract has other types too. The router takes them as they are.
      const request = {
        method: operation.method,
        path: '',
        params: path,
        query,
        headers,
        body,
      } as unknown as Request;
      const { errors } = validators.first.validateRequest(request, id);
      if (errors?.length) {
        const refused = errorsOf(validators, operation, request, errors);
        throw validationError([...refused, ...furtherErrors(operation, body, refused, checks)]);
      }
      return { path, query, headers, body };
    },
  };
}

/** openapi-backend types the arguments of a handler as its own; it keeps the handlers, and `handle-request` calls them. */
function asHandler(handle: unknown): Handler {
  return handle as Handler;
}

function throwNoRoute(allowed: string | undefined): never {
  if (allowed === undefined) throw new Problem('Not found');
  throw new Problem('Method not allowed', undefined, { headers: { Allow: allowed } });
}

/** Throws for text that Postgres cannot store, wherever it is in a JSON value. */
function assertStorable(value: unknown): void {
  const pointers = unstorableTexts(value, fieldErrorsMax);
  if (pointers.length === 0) return;
  const detail = 'must not contain NUL characters or lone surrogates';
  throw validationError(
    pointers.map((pointer) => ({ pointer, code: 'unsupported_character', detail }) as const),
  );
}

function isWellFormed(value: unknown): boolean {
  return typeof value !== 'string' || value.isWellFormed();
}

function throwNoHandler(id: OperationId): never {
  throw new Error(`No handler is registered for ${id}.`);
}

/** The errors that only the operation can find, in the fields that the schema has not refused. */
function furtherErrors(
  operation: ContractOperation,
  body: unknown,
  refused: readonly InvalidField[],
  { findErrors }: BodyChecks,
): InvalidField[] {
  if (findErrors === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const names = new Set(refused.map(topLevelName));
  // Each remaining field is valid, and the refused fields have their defaults.
  const defaults = defaultsOf(operation, names);
  // A field may be required because a refused one is missing.
  const lacksFields = Object.values(defaults).includes(undefined);
  return findErrors({ ...body, ...defaults } as never).filter(
    (field) => !names.has(topLevelName(field)) && !(lacksFields && field.code === 'required'),
  );
}

/** The name of the top-level field of an error; undefined if the error is about a parameter or the whole body. */
function topLevelName({ pointer }: InvalidField): string | undefined {
  return /^\/(?!(?:query|header|path)\/)([^/]*)/.exec(pointer)?.[1];
}

function defaultsOf(
  { requestBody }: ContractOperation,
  names: ReadonlySet<string | undefined>,
): Record<string, unknown> {
  const properties = requestBody?.content['application/json'].schema.properties ?? {};
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => names.has(name))
      .map(([name, schema]) => [name, schema.default]),
  );
}
