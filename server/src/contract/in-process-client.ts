import type {
  Call,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Planned,
  ResponseContext,
  Turn,
  ValidateRequest,
} from './operation.ts';
import { validationError } from './problem.ts';
import type { Contract } from './contract.ts';

interface InProcessClient<Id extends OperationId> {
  /** Calls an operation through the validation and the handler that HTTP requests use. */
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
      // The contract has just validated the call, and its type comes from the contract.
      const call = {
        caller: request.caller,
        ...contract.validate(id, request, operation),
      } as unknown as Call<Each>;
      return operation.handle(call, services, inProcessResponse, noTurn);
    },
    validateRequest: (id, request) => {
      const operation: Operation<Id, Services> = operations[id];
      const { body } = contract.validate(id, request, operation);
      // The contract has just validated the body.
      const errors = operation.findErrors?.(body as Call<Id>['body']) ?? [];
      if (errors.length > 0) throw validationError(errors);
    },
  };
}

/** A JSON response for the server itself. There is no client that could disconnect. */
export const inProcessResponse: ResponseContext = {
  disconnected: new AbortController().signal,
  hasLeft: () => false,
  origin: '',
  acceptsEventStream: false,
  addToLog: () => undefined,
};

/** Calls within the process wait in no queue. */
export const noTurn: Turn = { outside: (work) => work() };
