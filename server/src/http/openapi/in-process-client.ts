import type { WriteTarget } from '../../db/write.ts';
import type {
  Call,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Planned,
  ResponseContext,
} from '../../operation.ts';
import type { Contract } from './contract.ts';

/** Calls operations inside the server: the same handlers that HTTP requests reach, behind the same validation. */
export function createInProcessClient<Services extends WriteTarget>(
  contract: Contract,
  operations: Partial<Operations<Services>>,
  services: Omit<Services, keyof WriteTarget>,
): CallOperation {
  return async <Id extends OperationId>(
    id: Id,
    request: InternalRequest,
    target: WriteTarget,
  ): Promise<Planned<Id>> => {
    const operation: Operation<Id, Services> | undefined = operations[id];
    if (operation === undefined) throw new Error(`This server does not offer ${id}.`);
    // Validated just now by the contract that the type is made from.
    const call = { caller: request.caller, ...contract.validate(id, request) } as unknown as Call<Id>;
    // The services are those of the operations, only with another target.
    return operation.handle(call, { ...services, ...target } as Services, inProcessResponse);
  };
}

/** A response that the server reads itself, as JSON: no client can disconnect. */
export const inProcessResponse: ResponseContext = {
  disconnected: new AbortController().signal,
  acceptsEventStream: false,
  addToLog: () => undefined,
};
