import type { Db } from '../../db/tables.ts';
import type {
  Call,
  CallOperation,
  InternalRequest,
  Operation,
  OperationId,
  Operations,
  Reply,
} from '../../operation.ts';
import type { Contract } from './contract.ts';

/** Calls operations inside the server: the same handlers that HTTP requests reach, behind the same validation. */
export function createInProcessClient<Services extends { readonly db: Db }>(
  contract: Contract,
  operations: Partial<Operations<Services>>,
  services: Omit<Services, 'db'>,
): CallOperation {
  return async <Id extends OperationId>(id: Id, request: InternalRequest, db: Db): Promise<Reply<Id>> => {
    const operation: Operation<Id, Services> | undefined = operations[id];
    if (operation === undefined) throw new Error(`This server does not offer ${id}.`);
    const { path, query, body } = contract.validate(id, request);
    // Validated just now by the contract that the type is made from.
    const call = { caller: request.caller, path, query, headers: {}, body } as unknown as Call<Id>;
    // The services are those of the operations, only with another database.
    return operation.handle(call, { ...services, db } as Services);
  };
}
