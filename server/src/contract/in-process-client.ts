import type { Contract } from './contract.ts';
import type {
  CallOperation,
  Operation,
  OperationId,
  Operations,
  Request,
  RequestContext,
} from './operation.ts';

/** Calls operations inside the server, with the same validation and handlers as for HTTP requests. */
export function createInProcessClient<Services, Id extends OperationId>(
  contract: Contract,
  operations: Operations<Services, Id>,
  services: Services,
): CallOperation<Id> {
  return async <Each extends Id>(id: Each, { caller, ...parts }: Parameters<CallOperation<Id>>[1]) => {
    const operation: Operation<Each, Services> = operations[id];
    // The cast is safe, because the contract has just validated the parts.
    const request = { caller, ...contract.validate(id, parts) } as unknown as Request<Each>;
    return operation.handle(request, services, inProcessContext);
  };
}

/** The context of a request from inside the server, which has no client and expects JSON. */
const inProcessContext: RequestContext = {
  disconnected: new AbortController().signal,
  origin: '',
  acceptsEventStream: false,
  prefersFile: () => false,
  mayWait: () => false,
  addToLog: () => undefined,
};
