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
export function createInProcessClient<Services, Id extends OperationId>(
  contract: Contract,
  operations: Operations<Services, Id>,
  services: Services,
): CallOperation<Id> {
  return async <Each extends Id>(id: Each, request: InternalRequest): Promise<Planned<Each>> => {
    const operation: Operation<Each, Services> = operations[id];
    // Validated just now by the contract that the type is made from.
    const call = {
      caller: request.caller,
      ...contract.validate(id, request, operation),
    } as unknown as Call<Each>;
    return operation.handle(call, services, inProcessResponse);
  };
}

/** A response that the server reads itself, as JSON. No disconnection is watched. */
export const inProcessResponse: ResponseContext = {
  disconnected: new AbortController().signal,
  acceptsEventStream: false,
  addToLog: () => undefined,
};
