import type {
  Request,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Plan,
  RequestContext,
  ValidateRequest,
} from './operation.ts';
import type { Contract } from './contract.ts';

/** Calls and validates operations inside the server, by the validation and the handlers that HTTP requests use. */
export function createInProcessClient<Services, Id extends OperationId>(
  contract: Contract,
  operations: Operations<Services, Id>,
  services: Services,
): { readonly callOperation: CallOperation<Id>; readonly validateRequest: ValidateRequest<Id> } {
  return {
    callOperation: async <Each extends Id>(id: Each, parts: InternalRequest): Promise<Plan<Each>> => {
      // The cast is safe, because the contract has just validated the parts.
      const request = { caller: parts.caller, ...contract.validate(id, parts) } as unknown as Request<Each>;
      const operation: Operation<Each, Services> = operations[id];
      return operation.handle(request, services, inProcessContext);
    },
    validateRequest: (id, parts) => {
      contract.validate(id, parts);
    },
  };
}

/** The context of a request from inside the server, which has no client and expects JSON. */
const inProcessContext: RequestContext = {
  disconnected: new AbortController().signal,
  origin: '',
  acceptsEventStream: false,
  prefersFile: () => false,
  addToLog: () => undefined,
};
