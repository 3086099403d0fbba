import { hash } from 'node:crypto';
import { throwRepeatable, repeatOnConflict } from '../db/errors.ts';
import { writeOnce } from '../db/idempotency-keys.ts';
import { sortKeys } from '../lib/json.ts';
import type { ServedOperation } from '../contract/contract.ts';
import type { AnyResponse, Request, OperationId, RequestContext } from '../contract/operation.ts';
import type { Services } from '../contract/registry.ts';

/**
 * Plans a response and executes its write. With an idempotency key, the write happens only once. If another writer was
 * first, plans again.
 */
export function commit(
  operation: ServedOperation,
  request: Request<OperationId>,
  services: Services,
  context: RequestContext,
): Promise<AnyResponse> {
  const { db } = services;
  const plan = () => operation.handle(request, services, context);
  // The cast is safe, because the contract has validated the header.
  const { 'idempotency-key': key = '' } = request.headers as { readonly 'idempotency-key'?: string };
  if (operation.takesKey && key !== '') {
    const row = { user_id: request.caller.id, key, request_hash: hashOf(operation.operationId, request) };
    return writeOnce(db, row, plan).catch(throwRepeatable);
  }
  const committed = repeatOnConflict(async () => {
    const { write, ...planned } = await plan();
    await write?.(db);
    return planned;
  });
  return operation.isSafe ? committed.catch(throwRepeatable) : committed;
}

/** Identifies what a request with an idempotency key asks for. */
function hashOf(operation: OperationId, { path, body }: Request<OperationId>): string {
  // The path has only ids, whose letters may be capital or small.
  const ids = JSON.stringify(path, sortKeys).toLowerCase();
  return hash('sha256', `["${operation}",${ids},${JSON.stringify(body, sortKeys)}]`, 'base64');
}
