import { createHash } from 'node:crypto';
import type { Db } from '../db/tables.ts';
import { once } from '../db/once.ts';
import type { OperationId, Principal } from '../operations.ts';

/** A reply as it is remembered: whatever goes on the wire. */
export interface WireReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

interface KeyedRequest {
  readonly operation: OperationId;
  readonly caller: Principal;
  readonly key: string;
  readonly path: unknown;
  readonly body: unknown;
}

/** Runs a request once under its `Idempotency-Key`; a repetition gets the first answer again. */
export async function idempotently(
  db: Db,
  { operation, caller, key, path, body }: KeyedRequest,
  run: (db: Db) => Promise<WireReply>,
): Promise<WireReply> {
  const requestHash = createHash('sha256')
    .update(canonicalJson([operation, path, body]))
    .digest('base64');
  const { reply, replayed } = await once(db, { userId: caller.id, key, requestHash }, async (transaction) =>
    JSON.stringify(await run(transaction)),
  );
  // `once` returns what a run wrote above, now or under the same key earlier.
  const wire = JSON.parse(reply) as WireReply;
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
