import { StreamInterruptedError, WorktableError } from './errors.ts';
import { followRun, readRunEvents, type RunProgress } from './follow-run.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './idempotency-key.ts';
import type { JsonBody } from './json-body.ts';
import { openRunStream, type RunCall } from './open-run-stream.ts';
import type { IdempotentOptions } from './options.ts';
import type { RunEvent, RunRequest } from './resources.ts';
import { isLastEvent } from './stopped-run.ts';
import { isResumable } from './stream-errors.ts';
import type { Transport } from './transport.ts';

/** The events of one run. The iteration starts the run. */
export function streamRun(
  transport: Transport,
  { id, body, options }: { id: string; body: JsonBody<RunRequest>; options: IdempotentOptions },
): AsyncIterable<RunEvent> {
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      const idempotencyKey = idempotencyKeyOf(options);
      return startRun(transport, { id, body, options: { ...options, idempotencyKey } });
    },
  };
}

/** Adds the idempotency key to the error: repeating the call with this key streams the same run again. */
async function* startRun(transport: Transport, call: RunCall): AsyncGenerator<RunEvent, void, undefined> {
  try {
    yield* startAndFollow(transport, call);
  } catch (error) {
    throw attachIdempotencyKey(error, call.options.idempotencyKey);
  }
}

/** If the stream that started the run breaks, follows the run by its id. */
async function* startAndFollow(
  transport: Transport,
  call: RunCall,
): AsyncGenerator<RunEvent, void, undefined> {
  const { signal } = call.options;
  const { data: events, limit } = await openRunStream(transport, call);
  const progress: RunProgress = { until: 'requires_action', lastEventId: undefined, run: undefined };
  let streamError: unknown;
  try {
    for await (const event of readRunEvents(events, { limit, progress, signal })) {
      yield event;
      if (isLastEvent(event, progress.until)) return;
    }
  } catch (error) {
    if (!isResumable(error)) throw error;
    streamError = error;
  }
  if (progress.run === undefined) throw new StreamInterruptedError({ run: undefined, cause: streamError });
  const { id } = progress.run;
  const { deadlineAtMs } = limit;
  yield* followRun(transport, progress, { ...call.options, id, deadlineAtMs, wasOpen: true });
}
