import { isBreakage, isEnding } from './breakage.ts';
import { StreamInterruptedError, WorktableError } from './errors.ts';
import type { JsonBody } from './json-body.ts';
import { missedEvents } from './missed-events.ts';
import { withKey } from './open-outcome.ts';
import { keyOf, type KeyedOptions } from './options.ts';
import type { Run, RunEvent, RunRequest } from './resources.ts';
import { openRun, type RunCall } from './run-opening.ts';
import type { Sessions } from './sessions.ts';
import { checkAborted } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** The events of one run, which starts when they are iterated. */
export function streamRun(
  transport: Transport,
  sessions: Sessions,
  { id, body, options }: { id: string; body: JsonBody<RunRequest>; options: KeyedOptions },
): AsyncIterable<RunEvent> {
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated) throw new WorktableError('A stream is iterated once. Call stream again for a new run.');
      isIterated = true;
      return tell(transport, sessions, { id, body, options: { ...options, idempotencyKey: keyOf(options) } });
    },
  };
}

/** What has been told of a run so far, and why no more came. */
interface Progress {
  run: Run | undefined;
  lastMessageId: string | undefined;
  breakage: unknown;
}

/** However the events end before the run does, the same call under its key tells the same run again. */
async function* tell(
  transport: Transport,
  sessions: Sessions,
  call: RunCall,
): AsyncGenerator<RunEvent, void, undefined> {
  try {
    yield* tellRun(transport, sessions, call);
  } catch (error) {
    throw withKey(error, call.options.idempotencyKey);
  }
}

/** When the stream breaks, the rest is read from the messages of the run's session. */
async function* tellRun(
  transport: Transport,
  sessions: Sessions,
  call: RunCall,
): AsyncGenerator<RunEvent, void, undefined> {
  const { data, limit } = await openRun(transport, call);
  const progress: Progress = { run: undefined, lastMessageId: undefined, breakage: undefined };
  try {
    for (let next = data.first; next.done !== true; next = await data.events.next()) {
      checkAborted(call.options.signal);
      note(progress, next.value);
      yield next.value;
      if (isTerminal(next.value)) return;
    }
  } catch (error) {
    if (!isBreakage(error)) throw error;
    progress.breakage = error;
  } finally {
    limit.end();
    await data.events.return();
  }
  yield* tellMissed(sessions, progress, { ...call, deadlineAtMs: limit.deadlineAtMs });
}

async function* tellMissed(
  sessions: Sessions,
  { run, lastMessageId, breakage }: Progress,
  { options, deadlineAtMs }: RunCall & { readonly deadlineAtMs: number },
): AsyncGenerator<RunEvent, void, undefined> {
  if (run === undefined) throw new StreamInterruptedError({ run, cause: breakage });
  try {
    for await (const event of missedEvents(sessions, { run, lastMessageId, options, deadlineAtMs })) {
      checkAborted(options.signal);
      yield event;
      if (isTerminal(event)) return;
    }
  } catch (error) {
    throw isEnding(error) ? error : new StreamInterruptedError({ run, cause: error });
  }
  throw new StreamInterruptedError({ run, cause: breakage });
}

function note(progress: Progress, { event, data }: RunEvent): void {
  if (event === 'run.started') progress.run = data;
  if (event === 'message') progress.lastMessageId = data.id;
}

function isTerminal({ event }: RunEvent): boolean {
  return event === 'run.completed' || event === 'run.failed';
}
