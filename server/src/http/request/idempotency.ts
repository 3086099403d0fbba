import { createHash } from 'node:crypto';
import type { Db } from '../../db/tables.ts';
import { withIdempotencyKey } from '../../db/idempotency-keys.ts';
import type { Call, OperationId } from '../../operation.ts';
import type { HttpResponse } from '../response/http-response.ts';

interface KeyedRequest {
  readonly operation: OperationId;
  readonly key: string;
  readonly call: Call<OperationId>;
}

/** Runs a request once under its `Idempotency-Key`; a repetition gets the first response again. */
export async function withIdempotency(
  db: Db,
  { operation, key, call: { caller, path, body } }: KeyedRequest,
  run: (db: Db) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const requestHash = createHash('sha256')
    .update(canonicalJson([operation, path, body]))
    .digest('base64');
  const { reply, replayed } = await withIdempotencyKey(
    db,
    { userId: caller.id, key, requestHash },
    async (transaction) => JSON.stringify(await run(transaction)),
  );
  // What `run` returned above, now or under the same key earlier.
  const wire = JSON.parse(reply) as HttpResponse;
  return replayed ? { ...wire, headers: { ...wire.headers, 'Idempotency-Replayed': 'true' } } : wire;
}

/** JSON in which the order of an object's keys makes no difference. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [two]) => (one < two ? -1 : 1)))
      : each,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
