import type {
  Call,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Planned,
  ResponseContext,
} from '../operation.ts';
import type { Contract } from './contract.ts';

/** Calls operations inside the server: the same handlers that HTTP requests reach, behind the same validation. */
export function createInProcessClient<Services>(
  contract: Contract,
  operations: Partial<Operations<Services>>,
  services: Services,
): CallOperation {
  return async <Id extends OperationId>(id: Id, request: InternalRequest): Promise<Planned<Id>> => {
    const operation: Operation<Id, Services> | undefined = operations[id];
    if (operation === undefined) throw new Error(`This server does not offer ${id}.`);
    // Validated just now by the contract that the type is made from.
    const call = { caller: request.caller, ...contract.validate(id, request) } as unknown as Call<Id>;
    return operation.handle(call, services, inProcessResponse);
  };
}

/** A response that the server reads itself, as JSON: no client can disconnect. */
export const inProcessResponse: ResponseContext = {
  disconnected: new AbortController().signal,
  acceptsEventStream: false,
  addToLog: () => undefined,
};
