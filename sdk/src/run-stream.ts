import { WorktableError } from './errors.ts';
import { followRun } from './follow-run.ts';
import { runAgent } from './generated/operations.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './retries.ts';
import type { IdempotentOptions } from './options.ts';
import type { RunEvent, RunRequest } from './resources.ts';
import type { Transport } from './transport.ts';

interface NewRun {
  readonly agentId: string;
  readonly request: RunRequest;
  readonly options: IdempotentOptions;
}

/** The events of a new run, which starts when the iteration starts. */
export function streamRun(transport: Transport, { request, ...others }: NewRun): AsyncIterable<RunEvent> {
  const run = { ...others, request: copyOf(request) };
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      return startAndFollow(transport, run);
    },
  };
}

/** A copy, so that later changes of the object have no effect. */
function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch {
    // The call reports what cannot be sent.
    return value;
  }
}

/** Adds the idempotency key to an error. A repeated call with this key streams the same run. */
async function* startAndFollow(
  transport: Transport,
  { agentId, request: body, options }: NewRun,
): AsyncGenerator<RunEvent, void, undefined> {
  const { deadlineMs = transport.options.deadlineMs } = options;
  const deadlineAtMs = Date.now() + deadlineMs;
  const idempotencyKey = idempotencyKeyOf(options);
  const starting = { ...options, idempotencyKey };
  const headers = { Prefer: 'respond-async' };
  const run = await transport.send(runAgent, { path: { id: agentId }, body, headers, options: starting });
  const progress = { until: 'requires_action', lastEventId: undefined, run: undefined } as const;
  try {
    yield* followRun(transport, { ...progress }, { ...options, run, deadlineAtMs, hasBegun: true });
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey);
  }
}
