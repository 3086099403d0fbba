import { ConnectionError, WorktableError } from './errors.ts';
import { readEventStream, type EventNames } from './event-stream.ts';
import { retryable } from './call.ts';
import type { RequestOptions, RetryWait, StreamState } from './options.ts';
import type { ChangeEvent, ChangeQuery } from './resources.ts';
import { waitForRetry } from './retries.ts';
import { remainingMs, throwIfAborted } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

/** Options of `tasks.changes`, with a function that throws no error. */
export interface FollowOptions extends RequestOptions {
  readonly onState: (state: StreamState) => void;
}

type ChangeEvents = AsyncGenerator<ChangeEvent, void, undefined>;

/** The events of a stream of changes. Opens it again where it ended, unless its error is one that a retry cannot fix. */
export async function* followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { deadlineMs = Infinity, onState, ...options }: FollowOptions,
): ChangeEvents {
  const deadlineAtMs = Date.now() + deadlineMs;
  onState({ state: 'connecting' });
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
          if (event.event === 'ready') onState({ state: 'live' });
          yield event;
        }
      } finally {
        limit.end();
      }
    } catch (error) {
      end =
        error instanceof WorktableError ? error : new ConnectionError('The stream broke.', { cause: error });
    }
    const failed = { attempt: Math.max(1, attempt), error: end };
    await waitForStream(transport, failed, { deadlineAtMs, onState, signal: options.signal });
  }
}

/** Waits for the next attempt of a stream, and reports it to the client and to those who follow the stream. */
export function waitForStream(
  { options }: Transport,
  failed: { readonly attempt: number; readonly error: unknown },
  {
    onState,
    ...limits
  }: FollowOptions & { readonly deadlineAtMs: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const onRetry = (wait: RetryWait): void => {
    options.onRetry(wait);
    onState({ state: 'lost', reason: String(wait.error), retryInMs: wait.retryInMs });
  };
  return waitForRetry({ operation: 'listChanges', ...failed }, { ...limits, onRetry });
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
