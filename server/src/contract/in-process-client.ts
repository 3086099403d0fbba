import type {
  Call,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Planned,
  ValidateRequest,
  ResponseContext,
} from '../operation.ts';
import { validationError } from '../errors.ts';
import type { Contract } from './contract.ts';

export interface InProcessClient<Id extends OperationId> {
  /** Calls an operation: the same handler that HTTP requests reach, behind the same validation. */
  readonly callOperation: CallOperation<Id>;
  readonly validateRequest: ValidateRequest<Id>;
}

export function createInProcessClient<Services, Id extends OperationId>(
  contract: Contract,
  operations: Operations<Services, Id>,
  services: Services,
): InProcessClient<Id> {
  return {
    callOperation: async <Each extends Id>(id: Each, request: InternalRequest): Promise<Planned<Each>> => {
      const operation: Operation<Each, Services> = operations[id];
      // The call was just validated by the contract that the type is made from.
      const call = {
        caller: request.caller,
        ...contract.validate(id, request, operation),
      } as unknown as Call<Each>;
      return operation.handle(call, services, inProcessResponse);
    },
    validateRequest: (id, request) => {
      const operation: Operation<Id, Services> = operations[id];
      const { body } = contract.validate(id, request, operation);
      // The call was just validated, as above.
      const errors = operation.findErrors?.(body as Call<Id>['body']) ?? [];
      if (errors.length > 0) throw validationError(errors);
    },
  };
}

/** A response that the server reads itself, as JSON. No disconnection is watched. */
export const inProcessResponse: ResponseContext = {
  disconnected: new AbortController().signal,
  acceptsEventStream: false,
  addToLog: () => undefined,
};
