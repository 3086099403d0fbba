import { hash } from 'node:crypto';
import { throwRepeatable } from '../db/errors.ts';
import { writeOnce } from '../db/idempotency-keys.ts';
import { repeatOnConflict } from '../db/repeat-on-conflict.ts';
import type { Db } from '../db/tables.ts';
import { sortKeys } from '../lib/json.ts';
import type { AnyResponse, Request, OperationId, Plan, RequestContext } from '../contract/operation.ts';
import type { Services } from '../contract/registry.ts';
import type { ServedOperation } from './served-operation.ts';

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
  if (operation.takesKey && key !== '')
    return commitOnce(db, operation.id, key, request, plan).catch(throwRepeatable);
  const committed = repeatOnConflict(async () => {
    const { write, ...planned } = await plan();
    await write?.(db);
    return planned;
  });
  return operation.isSafe ? committed.catch(throwRepeatable) : committed;
}

/** Executes the write once for the idempotency key. A repeated request gets the stored response. */
async function commitOnce(
  db: Db,
  operation: OperationId,
  key: string,
  { caller, path, body }: Request<OperationId>,
  plan: () => Plan<OperationId> | Promise<Plan<OperationId>>,
): Promise<AnyResponse> {
  // The path has only ids, whose letters may be capital or small.
  const ids = JSON.stringify(path, sortKeys).toLowerCase();
  const text = `["${operation}",${ids},${JSON.stringify(body, sortKeys)}]`;
  const request_hash = hash('sha256', text, 'base64');
  const row = { user_id: caller.id, key, request_hash };
  const once = await writeOnce(db, row, async () => {
    const { write, ...response } = await plan();
    if (write === undefined) throw new Error(`${operation} takes an Idempotency-Key, but plans no write.`);
    return { reply: response, write };
  });
  if ('reply' in once) return once.reply;
  // The stored JSON is the response that `plan` returned for the first request under this key.
  const storedResponse = JSON.parse(once.stored) as AnyResponse;
  return { ...storedResponse, headers: { ...storedResponse.headers, 'Idempotency-Replayed': 'true' } };
}
