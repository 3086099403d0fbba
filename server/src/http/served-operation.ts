import type { Contract } from '../contract/contract.ts';
import type { ContractOperation } from '../contract/schema.ts';
import { bodyLimits } from '../lib/json-limits.ts';
import type { Rate } from '../limits/rate-limit.ts';
import { operationIds, operations } from '../contract/registry.ts';
import type {
  AnyOperation,
  Caller,
  OperationId,
  RequestContext,
  RequestParts,
} from '../contract/operation.ts';
import type { RequestState } from './request/request-state.ts';

/** A request for an operation, authenticated and received: from an HTTP client or from a call of a tool. */
export interface ReceivedRequest {
  readonly operation: OperationId;
  readonly caller: Caller;
  readonly path: NonNullable<RequestParts['path']>;
  /** Parses the other parts of the request. It can be called once. */
  readonly parse: () => Omit<RequestParts, 'path'>;
  readonly context: RequestContext;
  readonly state: RequestState;
}

/** What the contract and the table of operations say about an operation. */
export type ServedOperation = ReturnType<typeof describe>;

/** Describes each operation. */
export function describeOperations(contract: Contract): Readonly<Record<OperationId, ServedOperation>> {
  const served = operationIds.map((id) => {
    const operation = operations[id] as unknown as AnyOperation;
    return [id, describe(operation, contract.operation(id), contract.handlerOf(id))] as const;
  });
  // The cast is safe, because `operationIds` has the id of every operation.
  return Object.fromEntries(served) as Record<OperationId, ServedOperation>;
}

function describe(
  operation: AnyOperation,
  { operationId: id, method, parameters = [], responses }: ContractOperation,
  handle: ReturnType<Contract['handlerOf']>,
) {
  // By default, an operation changes nothing if its method is GET.
  const { isSafe = method === 'get', usesDatabase = true, jsonLimits = bodyLimits, startsRun } = operation;
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  /** True if a client may request an event stream. */
  const mayStream = responses[200]?.content?.['text/event-stream'] !== undefined;
  const rate: Rate = startsRun === true ? 'run' : responses[429] === undefined ? 'unlimited' : 'request';
  return { ...operation, id, handle, isSafe, usesDatabase, jsonLimits, takesKey, mayStream, rate };
}
