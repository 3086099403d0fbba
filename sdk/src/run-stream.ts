import { AbortError, StreamInterruptedError, TimeoutError, WorktableError } from './errors.ts';
import { eventsOf } from './events.ts';
import { keyedCall, type KeyedOptions, type RequestOptions } from './options.ts';
import { at } from './parameters.ts';
import type { Run, RunEvent, RunRequest } from './resources.ts';
import type { Sessions } from './sessions.ts';
import { sleep, type TimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

const pollMs = 1_000;

/** What has been told of a run so far. */
interface Progress {
  run: Run | undefined;
  lastMessageId: string | undefined;
}

/** The events of one run. When the stream breaks, the rest is read from the messages of the run's session. */
export async function* streamRun(
  { api, open }: Transport,
  sessions: Sessions,
  { id, body, options }: { id: string; body: RunRequest; options: KeyedOptions },
): AsyncGenerator<RunEvent, void, undefined> {
  const call = keyedCall('runAgent', options, { Accept: 'text/event-stream, application/problem+json' });
  const { data, limit } = await open(call, (init) =>
    api.POST('/v1/agents/{id}/run', { ...init, ...at(id), body, parseAs: 'stream' }),
  );
  const progress: Progress = { run: undefined, lastMessageId: undefined };
  let breakage: unknown;
  try {
    for await (const event of eventsOf(chunksOf(data, limit))) {
      note(progress, event);
      yield event;
      if (isTerminal(event)) return;
    }
  } catch (error) {
    if (!isBreakage(error)) throw error;
    breakage = error;
  } finally {
    limit.end();
  }
  try {
    yield* missedEvents(sessions, progress, { options, deadlineAtMs: limit.deadlineAtMs, breakage });
  } catch (error) {
    throw isEnding(error) ? error : new StreamInterruptedError(progress.run, error);
  }
}

/** The pieces of a body; the time limit counts only while one is waited for. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array> | null,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      limit.restart();
      const { value } = await reader.read();
      limit.pause();
      if (value === undefined) return;
      yield value;
    }
  } catch (error) {
    // The platform ends the stream when the signal aborts; the reason is told by the limit.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    // A stream that is already broken cannot be cancelled, and need not be.
    reader.cancel().catch(() => undefined);
  }
}

interface Resumption {
  readonly options: RequestOptions;
  readonly deadlineAtMs: number;
  /** How the stream broke; undefined when it just ended. */
  readonly breakage: unknown;
}

/** Follows a run by its session until it has ended. */
async function* missedEvents(
  sessions: Sessions,
  { run, lastMessageId }: Progress,
  { options, deadlineAtMs, breakage }: Resumption,
): AsyncGenerator<RunEvent, void, undefined> {
  if (run === undefined) throw new StreamInterruptedError(undefined, breakage);
  for (;;) {
    const rest = { ...options, deadlineMs: Math.max(0, deadlineAtMs - Date.now()) };
    const latest = (await sessions.get(run.session_id, rest)).run;
    // Read after the session: when that said the run has ended, these are all its messages.
    const query = lastMessageId === undefined ? {} : { after: lastMessageId };
    for await (const message of sessions.listMessages(run.session_id, query, rest)) {
      lastMessageId = message.id;
      if (message.run_id === run.id) yield { event: 'message', data: message };
    }
    // A later run of the same session hides how this one ended.
    if (latest?.id !== run.id) throw new StreamInterruptedError(run, breakage);
    const event = terminalEvents[latest.status];
    if (event !== undefined) {
      yield { event, data: latest };
      return;
    }
    if (Date.now() + pollMs >= deadlineAtMs) throw new TimeoutError('deadline');
    await sleep(pollMs, options.signal);
  }
}

const terminalEvents: Readonly<Record<Run['status'], 'run.completed' | 'run.failed' | undefined>> = {
  queued: undefined,
  running: undefined,
  completed: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.failed',
};

function note(progress: Progress, { event, data }: RunEvent): void {
  if (event === 'run.started') progress.run = data;
  if (event === 'message') progress.lastMessageId = data.id;
}

function isTerminal({ event }: RunEvent): boolean {
  return event === 'run.completed' || event === 'run.failed';
}

/** Whether the stream broke, rather than the caller or the deadline ended it. */
function isBreakage(error: unknown): boolean {
  return !(error instanceof WorktableError) || (error instanceof TimeoutError && !isEnding(error));
}

/** Whether an error tells by itself why the events end. */
function isEnding(error: unknown): boolean {
  if (error instanceof TimeoutError) return error.limit === 'deadline';
  return error instanceof AbortError || error instanceof StreamInterruptedError;
}
