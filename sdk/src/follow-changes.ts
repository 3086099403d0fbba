import { ConnectionError, WorktableError } from './errors.ts';
import { readEventStream, type EventNames } from './event-stream.ts';
import { retryable } from './call.ts';
import type { ChangeOptions, RequestOptions, StreamState } from './options.ts';
import type { ChangeEvent, ChangeQuery } from './resources.ts';
import { retryDelayMs } from './retries.ts';
import { remainingMs, sleep, throwIfAborted } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

type ChangeEvents = AsyncGenerator<ChangeEvent, void, undefined>;

/** The events of a stream of changes. Opens it again where it ended, unless its error is one that a retry cannot fix. */
export async function* followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { deadlineMs = Infinity, onState, ...options }: ChangeOptions,
): ChangeEvents {
  const deadlineAtMs = Date.now() + deadlineMs;
  report(onState, { state: 'connecting' });
  for (let attempt = 1; ; attempt += 1) {
    let end: unknown = new ConnectionError('The stream ended.');
    try {
      const limits = { deadlineMs: remainingMs(deadlineAtMs), retriesMax: 0 };
      const { data: events, limit } = await openStream(
        transport,
        { ...filters, after },
        { ...options, ...limits },
      );
      try {
        for await (const event of events) {
          throwIfAborted(options.signal);
          attempt = 0;
          after = event.data.cursor;
          if (event.event === 'ready') report(onState, { state: 'live' });
          yield event;
        }
      } finally {
        limit.end();
      }
    } catch (error) {
      end =
        error instanceof WorktableError ? error : new ConnectionError('The stream broke.', { cause: error });
    }
    await waitForRetry(end, Math.max(1, attempt), { deadlineAtMs, onState, signal: options.signal });
  }
}

interface RetryOptions extends Pick<ChangeOptions, 'onState' | 'signal'> {
  readonly deadlineAtMs: number;
}

/** Reports the loss of the connection and waits for the next attempt. Throws an error that a retry cannot fix. */
export async function waitForRetry(
  error: unknown,
  attempt: number,
  { deadlineAtMs, onState, signal }: RetryOptions,
): Promise<void> {
  const nowMs = Date.now();
  const delayMs = retryDelayMs(error, attempt, { random: Math.random(), nowMs });
  if (delayMs === undefined || nowMs + delayMs >= deadlineAtMs) throw error;
  report(onState, { state: 'lost', reason: String(error), retryInMs: delayMs });
  await sleep(delayMs, signal);
}

/** Calls `onState`, whose errors must not end the stream. */
export function report(onState: ChangeOptions['onState'], state: StreamState): void {
  try {
    onState?.(state);
  } catch {
    // As documented.
  }
}

function openStream(
  { api, open }: Transport,
  query: ChangeQuery,
  options: RequestOptions,
): Promise<OpenResponse<ChangeEvents>> {
  const call = retryable('listChanges', options, { Accept: 'text/event-stream, application/problem+json' });
  return open<ChangeEvents>(call, async (init, limit) => {
    const request = { ...init, params: { query: { ...query, limit: 1 } }, parseAs: 'stream' } as const;
    const { data, error, response } = await api.GET('/api/changes', request);
    if (!response.ok) return { error, response };
    return { data: readEventStream<ChangeEvent>({ response, data }, limit, changeEvents), response };
  });
}

const changeEvents: EventNames<ChangeEvent> = { ready: true, change: true };
