import { OpenAPIBackend, type Document, type Handler } from 'openapi-backend';
import { fieldErrorsMax, Problem, validationError, type InvalidField } from './problem.ts';
import document from '../generated/openapi.json' with { type: 'json' };
import type { Request, OperationId, Plan, RequestParts, RequestContext } from './operation.ts';
import { unstorableTexts } from '../lib/text.ts';
import { dropUnknown } from './drop-unknown.ts';
import { ContractRouter } from './router.ts';
import type { ContractOperation } from './schema.ts';
import { errorsOf, validatorsOf } from './validators.ts';

/** Checks of a body beyond its schema. */
interface BodyChecks {
  /** Finds further errors in a body that the schema has refused. Each refused field has its default. */
  readonly findErrors?: (body: never) => readonly InvalidField[];
  /** False if the body may have characters that Postgres cannot store. */
  readonly storesText?: false;
}

export type Contract = ReturnType<typeof contractOf>;

type Handlers = Readonly<Record<string, { readonly handle: unknown }>>;

/** A handler whose operation is known only at run time. The contract has validated its arguments. */
type RegisteredHandler = (
  request: Request<OperationId>,
  services: unknown,
  context: RequestContext,
) => Plan<OperationId> | Promise<Plan<OperationId>>;

/** Opens the bundled contract with openapi-backend. */
export async function openContract(operations: Handlers = {}): Promise<Contract> {
  const api = new OpenAPIBackend({
    // The cast is safe: `generate` has checked the document, whose literal type does not fit.
    definition: structuredClone(document) as unknown as Document,
    // Skips openapi-backend's own check, which knows only OpenAPI 3.0.
    quick: true,
    // `validatorsOf` creates the validators instead.
    validate: false,
    // The cast is safe: openapi-backend types the arguments of handlers differently, but only the pipeline calls them.
    handlers: Object.fromEntries(
      Object.entries(operations).map(([id, { handle }]) => [id, handle as Handler]),
    ),
  });
  await api.init();
  return contractOf(api);
}

function contractOf(api: OpenAPIBackend) {
  const router = new ContractRouter(api.definition);
  const validators = validatorsOf(api.definition, router);
  return {
    /** The methods of a path for the Allow header; undefined for unknown paths. */
    allowedMethods: (path: string) => router.allowedMethods(path),
    /** The operation of a request. Throws a Problem if there is none. */
    getRoute: (method: string, path: string) =>
      router.find(method, path) ?? throwNoRoute(router.allowedMethods(path)),
    /** An operation with its references resolved. */
    operation: (id: OperationId) => router.operation(id),
    /** The handler that is registered for an operation. */
    handlerOf: (id: OperationId) => api.handlers[id] as unknown as RegisteredHandler,
    /**
     * Removes unknown fields and fills in defaults, in place. Throws a Problem if the contract does not allow the rest.
     */
    validate: (
      id: OperationId,
      { path = {}, query = {}, headers = {}, body }: RequestParts,
      checks: BodyChecks = {},
    ): Required<RequestParts> => {
      const operation = router.operation(id);
      assertStorable({ query });
      if (checks.storesText !== false) assertStorable(body);
      dropUnknown(operation, { query, body });
      const parts = { path, query, headers, body };
      const refused = errorsOf(validators, operation, parts);
      if (refused.length > 0)
        throw validationError([...refused, ...furtherErrors(operation, body, refused, checks)]);
      return parts;
    },
  };
}

function throwNoRoute(allowed: string | undefined): never {
  if (allowed === undefined) throw new Problem('Not found');
  throw new Problem('Method not allowed', undefined, { headers: { Allow: allowed } });
}

/** Throws if a JSON value contains text that Postgres cannot store. */
function assertStorable(value: unknown): void {
  const pointers = unstorableTexts(value, fieldErrorsMax);
  if (pointers.length === 0) return;
  const detail = 'must not contain NUL characters or lone surrogates';
  throw validationError(
    pointers.map((pointer) => ({ pointer, code: 'unsupported_character', detail }) as const),
  );
}

/** Errors that only the operation can find, in fields that the schema has accepted. */
function furtherErrors(
  operation: ContractOperation,
  body: unknown,
  refused: readonly InvalidField[],
  { findErrors }: BodyChecks,
): InvalidField[] {
  if (findErrors === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const names = new Set(refused.map(topLevelName));
  // Refused fields have their defaults, or are missing here. An error about a missing field does not count if a refused
  // field is missing, or if the error is about the whole body.
  const defaults = defaultsOf(operation, names);
  const lacksFields = Object.values(defaults).includes(undefined);
  return findErrors({ ...body, ...defaults } as never).filter(
    (field) =>
      !names.has(topLevelName(field)) &&
      !(field.code === 'required' && (lacksFields || field.pointer === '')),
  );
}

/** The top-level field of an error; undefined if the error is about a parameter or the whole body. */
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
