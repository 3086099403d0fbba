import type { Call } from './call.ts';
import { WorktableError } from './errors.ts';
import { followRun } from './follow-run.ts';
import { attachIdempotencyKey } from './idempotency-key.ts';
import type { Run, RunEvent } from './resources.ts';
import { resultOf } from './result.ts';
import type { Transport } from './transport.ts';

/** The events of one run. The iteration sends the call that starts the run. */
export function streamRun(transport: Transport, call: Call<Run>): AsyncIterable<RunEvent> {
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      return startAndFollow(transport, call);
    },
  };
}

/** Adds the idempotency key to the error: repeating the call with this key streams the same run again. */
async function* startAndFollow(
  transport: Transport,
  call: Call<Run>,
): AsyncGenerator<RunEvent, void, undefined> {
  const starting = transport.open(call);
  const { limit, idempotencyKey } = await starting;
  limit.end();
  const run = await resultOf(starting);
  const { deadlineAtMs } = limit;
  try {
    yield* followRun(
      transport,
      { until: 'requires_action', lastEventId: undefined, run: undefined },
      { ...call.options, run, deadlineAtMs, wasOpen: true },
    );
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey);
  }
}
