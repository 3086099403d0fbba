import type { Db } from '../db/tables.ts';
import type { Call, Handler, Handlers, InsideRequest, OperationId, Perform, Reply } from '../operations.ts';
import type { Contract } from './contract.ts';

/** Performs operations inside the server by the handlers that HTTP requests reach, and as strictly validated. */
export function createPerform<Services extends { readonly db: Db }>(
  contract: Contract,
  handlers: Partial<Handlers<Services>>,
  services: Omit<Services, 'db'>,
): Perform {
  return async <Id extends OperationId>(id: Id, request: InsideRequest, db: Db): Promise<Reply<Id>> => {
    const handler: Handler<Id, Services> | undefined = handlers[id];
    if (handler === undefined) throw new Error(`This server does not offer ${id}.`);
    const { path, query, body } = contract.validate(id, request);
    // Validated just now by the contract that the type is made from.
    const call = { caller: request.caller, path, query, headers: {}, body } as unknown as Call<Id>;
    // The services are those of the handlers, only with another database.
    return handler(call, { ...services, db } as Services);
  };
}
