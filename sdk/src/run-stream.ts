import { StreamInterruptedError, WorktableError } from './errors.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './idempotency-key.ts';
import type { JsonBody } from './json-body.ts';
import { openRunStream, type RunCall } from './open-run-stream.ts';
import type { IdempotentOptions } from './options.ts';
import type { Run, RunEvent, RunRequest } from './resources.ts';
import { resumeEvents } from './resume-events.ts';
import type { Sessions } from './sessions.ts';
import { isLastEvent } from './stopped-run.ts';
import { isAbortOrDeadline, isResumable } from './stream-errors.ts';
import { throwIfAborted, type TimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

// A server with nothing more to send closes the stream sooner.
const endOfStreamMs = 1_000;

/** The events of one run. The iteration starts the run. */
export function streamRun(
  transport: Transport,
  sessions: Sessions,
  { id, body, options }: { id: string; body: JsonBody<RunRequest>; options: IdempotentOptions },
): AsyncIterable<RunEvent> {
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      const idempotencyKey = idempotencyKeyOf(options);
      return runEvents(transport, sessions, { id, body, options: { ...options, idempotencyKey } });
    },
  };
}

/** What the caller has received of a run, and the error that ended the stream. */
interface Progress {
  run: Run | undefined;
  lastMessageId: string | undefined;
  streamError: unknown;
}

/** Adds the idempotency key to the error: repeating the call with this key streams the same run again. */
async function* runEvents(
  transport: Transport,
  sessions: Sessions,
  call: RunCall,
): AsyncGenerator<RunEvent, void, undefined> {
  try {
    yield* readRunEvents(transport, sessions, call);
  } catch (error) {
    throw attachIdempotencyKey(error, call.options.idempotencyKey);
  }
}

/** If the stream breaks, reads the remaining messages from the session of the run. */
async function* readRunEvents(
  transport: Transport,
  sessions: Sessions,
  call: RunCall,
): AsyncGenerator<RunEvent, void, undefined> {
  const { data, limit } = await openRunStream(transport, call);
  const progress: Progress = { run: undefined, lastMessageId: undefined, streamError: undefined };
  let hasEnded = false;
  try {
    for (let next = data.first; next.done !== true; next = await data.events.next()) {
      throwIfAborted(call.options.signal);
      recordProgress(progress, next.value);
      hasEnded = isLastEvent(next.value);
      yield next.value;
      if (hasEnded) return;
    }
  } catch (error) {
    if (!isResumable(error)) throw error;
    progress.streamError = error;
  } finally {
    if (hasEnded) await readToEnd(data.events, limit);
    limit.end();
    await data.events.return();
  }
  yield* continueFromSession(sessions, progress, { ...call, deadlineAtMs: limit.deadlineAtMs });
}

/** Reads until the server closes the stream: browsers report a response that is not read to its end as canceled. */
async function readToEnd(events: AsyncGenerator<RunEvent, void, undefined>, limit: TimeLimit): Promise<void> {
  limit.shorten(endOfStreamMs);
  await events.next().catch(() => undefined);
}

async function* continueFromSession(
  sessions: Sessions,
  { run, lastMessageId, streamError }: Progress,
  { options, deadlineAtMs }: RunCall & { readonly deadlineAtMs: number },
): AsyncGenerator<RunEvent, void, undefined> {
  if (run === undefined) throw new StreamInterruptedError({ run, cause: streamError });
  try {
    const resumed = resumeEvents(sessions, { run, lastMessageId, streamError, options, deadlineAtMs });
    for await (const event of resumed) {
      throwIfAborted(options.signal);
      yield event;
    }
  } catch (error) {
    if (isAbortOrDeadline(error) || error instanceof StreamInterruptedError) throw error;
    throw new StreamInterruptedError({ run, cause: error });
  }
}

function recordProgress(progress: Progress, { event, data }: RunEvent): void {
  if (event === 'run.started') progress.run = data;
  if (event === 'message') progress.lastMessageId = data.id;
}
