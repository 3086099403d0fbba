import { OpenAPIBackend, type Document, type Handler } from 'openapi-backend';
import { fieldErrorsMax, validationError } from './problem.ts';
import document from '../generated/openapi.json' with { type: 'json' };
import type { AnyOperation, OperationId, RequestParts } from './operation.ts';
import { unstorableTexts } from '../lib/text.ts';
import { ContractRouter } from './router.ts';
import { closedSchema, type ContractOperation, type Schema } from './schema.ts';
import { createErrorFinder } from './validators.ts';

export type Contract = ReturnType<typeof contractOf>;

type Handlers = Readonly<Record<string, { readonly handle: unknown }>>;

/** Opens the bundled contract with openapi-backend. */
export async function openContract(handlers: Handlers = {}): Promise<Contract> {
  const api = new OpenAPIBackend({
    // The cast is safe: `generate` has checked the document, whose literal type does not fit.
    definition: structuredClone(document) as unknown as Document,
    // Skips openapi-backend's own check, which knows only OpenAPI 3.0.
    quick: true,
    // `createErrorFinder` creates the validators instead.
    validate: false,
    // The cast is safe: openapi-backend types the arguments of handlers differently, but only the pipeline calls them.
    handlers: Object.fromEntries(Object.entries(handlers).map(([id, { handle }]) => [id, handle as Handler])),
  });
  await api.init();
  return contractOf(api);
}

function contractOf(api: OpenAPIBackend) {
  // The cast is safe: `generate` has checked operations against this type.
  const operations = api.router.getOperations() as unknown as ContractOperation[];
  for (const { requestBody } of operations) {
    const json = requestBody?.content['application/json'];
    // A copy without shared parts, which openapi-backend would replace by references.
    if (json !== undefined) json.schema = closedSchema(JSON.parse(JSON.stringify(json.schema)) as Schema);
  }
  const byId = Object.fromEntries(
    operations.map((operation) => [operation.operationId, operation]),
  ) as Readonly<Record<OperationId, ContractOperation>>;
  const findInvalid = createErrorFinder(api.definition);
  return {
    router: new ContractRouter(operations),
    /** An operation with its references resolved. */
    operation: (id: OperationId) => byId[id],
    /** The handler that is registered for an operation. */
    handlerOf: (id: OperationId) => api.handlers[id] as unknown as AnyOperation['handle'],
    /**
     * Removes unknown fields and fills in defaults, in place. Throws a Problem if the contract does not allow the rest.
     */
    validate: (
      id: OperationId,
      { path = {}, query = {}, headers = {}, body }: RequestParts,
      { storesText }: Pick<AnyOperation, 'storesText'>,
    ): Required<RequestParts> => {
      const parts = { path, query, headers, body };
      assertStorable({ query });
      if (storesText !== false) assertStorable(body);
      const refused = findInvalid(byId[id], parts);
      if (refused.length > 0) throw validationError(refused);
      return parts;
    },
  };
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
