import { createHash } from 'node:crypto';
import { writeOnce } from '../../db/idempotency-keys.ts';
import type { Db } from '../../db/tables.ts';
import type { Call, OperationId } from '../../operation.ts';
import type { HttpResponse, PlannedResponse } from '../response/http-response.ts';

interface KeyedRequest {
  readonly operation: OperationId;
  readonly key: string;
  readonly call: Call<OperationId>;
}

/** Executes the write of a request once under its `Idempotency-Key`. A repetition gets the stored response. */
export async function writeUnderKey(
  db: Db,
  { operation, key, call: { caller, path, body } }: KeyedRequest,
  handle: () => PlannedResponse | Promise<PlannedResponse>,
): Promise<HttpResponse> {
  const requestHash = createHash('sha256')
    .update(canonicalJson([operation, path, body]))
    .digest('base64');
  const row = { user_id: caller.id, key, request_hash: requestHash };
  const once = await writeOnce(db, row, async () => {
    const { write, ...response } = await handle();
    if (write === undefined) throw new Error(`${operation} takes an Idempotency-Key, but plans no write.`);
    return { reply: response, write };
  });
  if ('reply' in once) return once.reply;
  // The response that `handle` returned to the first request under this key.
  const storedReply = JSON.parse(once.earlier) as HttpResponse;
  return { ...storedReply, headers: { ...storedReply.headers, 'Idempotency-Replayed': 'true' } };
}

/** JSON in which the order of an object's keys makes no difference. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join()}}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
