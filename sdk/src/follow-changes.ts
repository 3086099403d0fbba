import { ConnectionError, WorktableError } from './errors.ts';
import { openEventStream, type EventNames } from './event-stream.ts';
import { retryable } from './call.ts';
import type { RequestOptions, RetryWait, StreamState } from './options.ts';
import type { ChangeEvent, ChangeQuery } from './resources.ts';
import { waitForRetry } from './retries.ts';
import { remainingMs, sleep, throwIfAborted } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

/** Options of `tasks.changes`. `onState` throws no error. */
export interface FollowOptions extends RequestOptions {
  readonly onState: (state: StreamState) => void;
  /**
   * The page that holds the stream. While the page is hidden, the stream is closed, because over HTTP/1.1 all pages of
   * a browser together have six connections to a server.
   */
  readonly page?: Page | undefined;
}

/** The `document` of a page. Node has no type for it. */
export interface Page {
  readonly visibilityState: 'visible' | 'hidden';
  addEventListener(name: 'visibilitychange', listener: () => void): void;
  removeEventListener(name: 'visibilitychange', listener: () => void): void;
}

// Browsers delay timers of a hidden page until the page is shown.
const shownPollMs = 500;

type ChangeEvents = AsyncGenerator<ChangeEvent, void, undefined>;

/**
 * The events of a stream of changes. A stream that breaks is opened again at the same position, unless a retry cannot
 * fix the error.
 */
export async function* followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { deadlineMs = Infinity, onState, page, ...options }: FollowOptions,
): ChangeEvents {
  const deadlineAtMs = Date.now() + deadlineMs;
  // "now" becomes a position only when the stream is open, so such a stream is not paused before.
  const isPaused = (): boolean => page?.visibilityState === 'hidden' && after !== 'now';
  // Counts the pauses of the current stream, because the page may be shown again before the stream has ended.
  let pauses = 0;
  onState({ state: 'connecting' });
  for (let attempt = 1; ; attempt += 1) {
    if (pauses > 0 || isPaused()) {
      onState({ state: 'paused' });
      while (isPaused() && remainingMs(deadlineAtMs) > 0) await sleep(shownPollMs, options.signal);
      onState({ state: 'connecting' });
      pauses = 0;
    }
    let end: unknown = new ConnectionError('The stream ended.');
    try {
      const limits = { deadlineMs: remainingMs(deadlineAtMs), retriesMax: 0 };
      const { data: events, limit } = await openStream(
        transport,
        { ...filters, after },
        { ...options, ...limits },
      );
      const pause = (): void => {
        if (!isPaused()) return;
        pauses += 1;
        limit.shorten(0);
      };
      page?.addEventListener('visibilitychange', pause);
      try {
        for await (const event of events) {
          throwIfAborted(options.signal);
          attempt = 0;
          after = event.data.cursor;
          if (event.event === 'ready') onState({ state: 'live' });
          yield event;
          pause();
        }
      } finally {
        page?.removeEventListener('visibilitychange', pause);
        limit.end();
      }
    } catch (error) {
      end =
        error instanceof WorktableError ? error : new ConnectionError('The stream broke.', { cause: error });
    }
    if (pauses > 0) continue;
    const failed = { attempt: Math.max(1, attempt), error: end };
    await waitForStream(transport, failed, { deadlineAtMs, onState, signal: options.signal });
  }
}

/** Waits before the next attempt of a stream. Reports the wait to the client and to the followers of the stream. */
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
  transport: Transport,
  query: ChangeQuery,
  options: RequestOptions,
): Promise<OpenResponse<ChangeEvents>> {
  const params = { query: { ...query, limit: 1 } };
  return openEventStream(
    transport,
    retryable('listChanges', options),
    (init) => transport.api.GET('/api/changes', { ...init, params, parseAs: 'stream' }),
    changeEvents,
  );
}

const changeEvents: EventNames<ChangeEvent> = { ready: true, change: true };
