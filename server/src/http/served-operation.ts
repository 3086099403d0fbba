import type { Contract } from '../contract/contract.ts';
import type { ContractOperation } from '../contract/schema.ts';
import { bodyLimits, type JsonLimits } from '../lib/json-limits.ts';
import type { Rate } from '../limits/rate-limit.ts';
import type {
  Call,
  Operation,
  OperationId,
  Operations,
  Principal,
  RequestParts,
  ResponseContext,
} from '../contract/operation.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse } from './response/http-response.ts';
import type { AnyRepresentations } from './response/send-response.ts';

/** A request for an operation, authenticated and received: from an HTTP client or from a call of a tool. */
export interface OperationRequest {
  readonly operation: OperationId;
  readonly caller: Principal;
  readonly path: NonNullable<RequestParts['path']>;
  /** Parses all parts, once. The body may have these limits. */
  readonly parse: (limits: JsonLimits) => RequestParts;
  readonly response: ResponseContext;
  readonly state: RequestState;
}

/** An operation whose id is known only at run time. The contract has validated its call. */
type AnyOperation = Omit<Operation<OperationId, never>, 'findErrors' | 'afterCommit' | 'representations'> & {
  readonly findErrors?: (body: never) => [];
  readonly representations?: AnyRepresentations;
  readonly afterCommit?: (
    committed: HttpResponse,
    call: Omit<Call<OperationId>, 'body'>,
    services: unknown,
    response: ResponseContext,
  ) => Promise<HttpResponse>;
};

/** What the contract and the table of operations say about an operation. */
export interface ServedOperation extends Omit<AnyOperation, 'handle' | 'isSafe'> {
  readonly id: OperationId;
  readonly handle: ReturnType<Contract['handlerOf']>;
  readonly jsonLimits: JsonLimits;
  /** True if the operation changes nothing. */
  readonly isSafe: boolean;
  readonly takesKey: boolean;
  readonly rate: Rate;
}

/** Describes each operation once, and returns a function that finds the description. */
export function describeOperations(
  contract: Contract,
  operations: Operations<never>,
): (id: OperationId) => ServedOperation {
  const served = new Map(
    Object.entries(operations).map(([name, operation]) => {
      // TypeScript types keys as strings; here they are the operation ids.
      const id = name as OperationId;
      return [
        id,
        describe(operation as unknown as AnyOperation, contract.operation(id), contract.handlerOf(id)),
      ];
    }),
  );
  return (id) => served.get(id) ?? throwUnserved(id);
}

function describe(
  operation: AnyOperation,
  { operationId: id, method, parameters = [], responses }: ContractOperation,
  handle: ServedOperation['handle'],
): ServedOperation {
  const { isSafe = method === 'get', jsonLimits = bodyLimits, startsRun } = operation;
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  const rate = startsRun === true ? 'run' : responses[429] === undefined ? 'unlimited' : 'request';
  return { ...operation, id, handle, isSafe, jsonLimits, takesKey, rate };
}

function throwUnserved(id: OperationId): never {
  throw new Error(`The operation ${id} is not in the table of operations.`);
}
