import {
  AbortError,
  ConnectionError,
  StreamInterruptedError,
  TimeoutError,
  WorktableError,
} from './errors.ts';
import { openEventStream } from './event-stream.ts';
import { retryable } from './call.ts';
import type { RequestOptions } from './options.ts';
import { pathParams } from './parameters.ts';
import type { Run, RunEvent, RunStreamQuery } from './resources.ts';
import { waitForRetry } from './retries.ts';
import { remainingMs, throwIfAborted, type TimeLimit } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

// A server that has sent everything closes the stream sooner.
const endOfStreamMs = 1_000;
// Longer than a restart of the server or a deployment takes.
const outageMaxMs = 60_000;
// A lost connection begins a new outage if the stream had an event, or was open for this long: a quiet run sends no
// events.
const openMinMs = 10_000;

/** Where the stream of a run ends, and what the caller has received. */
export interface RunProgress {
  readonly until: NonNullable<RunStreamQuery['until']>;
  lastEventId: string | undefined;
  /** The run at its start; undefined until the caller has received it. */
  run: Run | undefined;
}

interface FollowOptions extends RequestOptions {
  /** Has no `session_id` if the caller has only the id of the run. */
  readonly run: { readonly id: string; readonly session_id?: string };
  /** Infinity without a deadline. */
  readonly deadlineAtMs: number;
  /**
   * True if the caller has started the run or received an event. An error then interrupts the stream. Otherwise, errors
   * are thrown until the stream has been opened.
   */
  readonly hadBegun: boolean;
}

/**
 * Yields the events of a run that the caller has not received. A stream that breaks is opened again at the same
 * position. While the server is unreachable, attempts continue until the deadline; without a deadline, for a minute.
 */
export async function* followRun(
  transport: Transport,
  progress: RunProgress,
  { run, deadlineAtMs, hadBegun, ...options }: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  let giveUpAtMs = outageEndMs(deadlineAtMs);
  let hasBegun = hadBegun;
  for (let attempt = 1; ; attempt += 1) {
    let failure: unknown = new ConnectionError('The stream ended.');
    let openedAtMs = Infinity;
    try {
      const limits = { deadlineMs: remainingMs(deadlineAtMs), ...(hasBegun && { retriesMax: 0 }) };
      const { data: events, limit } = await openStream(
        transport,
        { ...progress, id: run.id },
        { ...options, ...limits },
      );
      hasBegun = true;
      openedAtMs = Date.now();
      for await (const event of readRunEvents(events, { limit, progress, signal: options.signal })) {
        attempt = 0;
        giveUpAtMs = outageEndMs(deadlineAtMs);
        yield event;
        if (isLastEvent(event, progress.until)) return;
      }
    } catch (error) {
      if (!hasBegun || isAbortOrDeadline(error)) throw error;
      failure =
        error instanceof WorktableError ? error : new ConnectionError('The stream broke.', { cause: error });
    }
    if (Date.now() - openedAtMs >= openMinMs) giveUpAtMs = outageEndMs(deadlineAtMs);
    const { onRetry } = transport.options;
    await waitForRetry(
      { operation: 'getRun', attempt: Math.max(1, attempt), error: failure },
      { onRetry, deadlineAtMs: giveUpAtMs, signal: options.signal },
    ).catch((error: unknown) => {
      throw error === failure
        ? new StreamInterruptedError({ run: progress.run ?? run, cause: failure })
        : error;
    });
  }
}

interface OpenStream {
  readonly limit: TimeLimit;
  readonly progress: RunProgress;
  readonly signal: AbortSignal | undefined;
}

/** Yields the events of one stream that the caller has not received, up to the last event of the run. */
async function* readRunEvents(
  events: AsyncGenerator<RunEvent, void, undefined>,
  { limit, progress, signal }: OpenStream,
): AsyncGenerator<RunEvent, void, undefined> {
  let hasEnded = false;
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      throwIfAborted(signal);
      const event = next.value;
      hasEnded = isLastEvent(event, progress.until);
      const isRepeated = event.event === 'run.started' && progress.run !== undefined;
      if (event.event === 'run.started') progress.run = event.data;
      if (event.event === 'message') progress.lastEventId = event.id;
      if (!isRepeated) yield event;
      if (hasEnded) return;
    }
  } finally {
    // Browsers show a response as canceled unless it is read to its end.
    if (hasEnded) {
      limit.shorten(endOfStreamMs);
      await events.next().catch(() => undefined);
    }
    limit.end();
    await events.return();
  }
}

function openStream(
  transport: Transport,
  { id, until, lastEventId }: RunProgress & { readonly id: string },
  options: RequestOptions,
): Promise<OpenResponse<AsyncGenerator<RunEvent, void, undefined>>> {
  const params = { ...pathParams(id).params, query: { until } };
  return openEventStream(
    transport,
    retryable('getRun', options, { 'Last-Event-ID': lastEventId }),
    (init) => transport.api.GET('/v1/runs/{id}', { ...init, params, parseAs: 'stream' }),
    runEventNames,
  );
}

/** Returns true if the caller's signal or deadline has ended the stream. */
function isAbortOrDeadline(error: unknown): boolean {
  return error instanceof AbortError || (error instanceof TimeoutError && error.limit === 'deadline');
}

function outageEndMs(deadlineAtMs: number): number {
  return deadlineAtMs === Infinity ? Date.now() + outageMaxMs : deadlineAtMs;
}

/** Returns true if a run has ended or requires action. */
export function hasStopped({ status }: Run): boolean {
  return status !== 'queued' && status !== 'running';
}

function isLastEvent({ event }: RunEvent, until: RunStreamQuery['until']): boolean {
  return runEventNames[event] && !(event === 'run.requires_action' && until === 'finished');
}

/** The names of the events. The value is true for events that end a stream. */
export const runEventNames: Readonly<Record<RunEvent['event'], boolean>> = {
  'run.queued': false,
  'run.started': false,
  'run.waiting': false,
  'run.warning': false,
  message: false,
  'message.delta': false,
  'run.requires_action': true,
  'run.completed': true,
  'run.incomplete': true,
  'run.failed': true,
  'run.cancelled': true,
};
