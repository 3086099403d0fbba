import { OpenAPIBackend, type Document, type Handler } from 'openapi-backend';
import document from '../generated/openapi.json' with { type: 'json' };
import { bodyLimits } from '../lib/json-limits.ts';
import { childPointer } from '../lib/json.ts';
import { toStorable, unstorablePath } from '../lib/text.ts';
import type { Rate } from '../limits/rate-limit.ts';
import type { AnyOperation, OperationId, Operations, RequestParts } from './operation.ts';
import { validationError } from './problem.ts';
import { ContractRouter } from './router.ts';
import { closedSchema, type ContractOperation } from './schema.ts';
import { createErrorFinder } from './validators.ts';

export type Contract = ReturnType<typeof contractOf>;

/** An operation of the contract, with its row in the table of operations. */
export type ServedOperation = ReturnType<typeof servedOperation>;

/** Opens the bundled contract with openapi-backend. */
export async function openContract(table: Operations<never>): Promise<Contract> {
  const api = new OpenAPIBackend({
    // The cast is safe: `generate` has checked the document, whose literal type does not fit.
    definition: structuredClone(document) as unknown as Document,
    // Skips openapi-backend's own check, which knows only OpenAPI 3.0.
    quick: true,
    // `createErrorFinder` creates the validators instead.
    validate: false,
    // The cast is safe: openapi-backend types the arguments of handlers differently, but only the pipeline calls them.
    handlers: Object.fromEntries(
      Object.entries(table).map(([id, { handle }]) => [id, handle as unknown as Handler]),
    ),
  });
  await api.init();
  return contractOf(api, table);
}

function contractOf(api: OpenAPIBackend, table: Operations<never>) {
  // The cast is safe: `generate` has checked operations against this type.
  const documented = api.router.getOperations() as unknown as ContractOperation[];
  for (const { requestBody } of documented) {
    const json = requestBody?.content['application/json'];
    if (json !== undefined) json.schema = closedSchema(json.schema);
  }
  const served = documented.map((operation) => {
    const { operationId: id } = operation;
    // The casts are safe: the table has a row for each operation, whose handler is registered above.
    const row = { ...table[id], handle: api.handlers[id] } as unknown as AnyOperation;
    return [id, servedOperation(operation, row)] as const;
  });
  const byId = Object.fromEntries(served) as Readonly<Record<OperationId, ServedOperation>>;
  const findInvalid = createErrorFinder(api.definition);
  return {
    router: new ContractRouter(documented),
    operation: (id: OperationId) => byId[id],
    /**
     * Removes unknown fields and fills in defaults, in place. Throws a Problem if the contract does not allow the rest.
     */
    validate: (
      id: OperationId,
      { path = {}, query = {}, headers = {}, body }: RequestParts,
    ): Required<RequestParts> => {
      const parts = { path, query, headers, body };
      assertStorable({ query });
      if (byId[id].storesText) assertStorable(body);
      const refused = findInvalid(byId[id], parts);
      if (refused.length > 0) throw validationError(refused);
      return parts;
    },
  };
}

function servedOperation(operation: ContractOperation, row: AnyOperation) {
  const { method, parameters = [], responses } = operation;
  // By default, an operation changes nothing if its method is GET.
  const { isSafe = method === 'get', usesDatabase = true, storesText = true, jsonLimits = bodyLimits } = row;
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  /** True if a client may request an event stream. */
  const mayStream = responses[200]?.content?.['text/event-stream'] !== undefined;
  /** The rate limits that count a request. */
  const rate: Rate | undefined = row.startsRun === true ? 'run' : responses[429] && 'request';
  return { ...operation, ...row, isSafe, usesDatabase, storesText, jsonLimits, takesKey, mayStream, rate };
}

/** Throws if a JSON value contains text that Postgres cannot store. */
function assertStorable(value: unknown): void {
  const path = unstorablePath(value);
  if (path === undefined) return;
  const pointer = toStorable(path.reduce(childPointer, ''));
  const detail = 'must not contain NUL characters or lone surrogates';
  throw validationError([{ pointer, code: 'unsupported_character', detail }]);
}
