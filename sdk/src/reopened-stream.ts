import { AbortError, ConnectionError, TimeoutError, WorktableError } from './errors.ts';
import type { RequestOptions, RetryWait, StreamState } from './options.ts';
import { isOffline, isPageHidden, offlineMessage, onPageChange } from './page.ts';
import type { OperationId } from './resources.ts';
import { waitForRetry } from './retries.ts';
import { remainingMs, sleep, throwIfAborted, type TimeLimit } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

/** A stream of events that can be opened again at the position after any event. */
export interface StreamSource<Event> {
  readonly operation: OperationId;
  readonly open: (options: RequestOptions) => Promise<OpenResponse<AsyncGenerator<Event, void, undefined>>>;
  /** Completes an event and remembers its position. Resolves to undefined for an event that is repeated. */
  readonly receive: (event: Event, options: RequestOptions) => Promise<Event | undefined>;
  readonly isLast?: (event: Event) => boolean;
  /** False for a stream that stays open while its page is hidden. Other streams free a connection of the browser. */
  readonly mayPause?: () => boolean;
  /** How long attempts continue if there is no deadline; the default is for ever. */
  readonly outageMaxMs?: number;
  /** Makes the error that ends the stream after a failure; the default is the failure itself. */
  readonly errorOf?: (failure: WorktableError) => WorktableError;
}

/** `onState` throws no error. */
interface ReopenOptions extends RequestOptions {
  readonly deadlineAtMs: number;
  readonly onState?: (state: StreamState) => void;
  /** Until the stream has begun, errors are thrown after the usual retries. */
  readonly hasBegun: boolean;
}

// A lost connection begins a new outage if the stream had an event, or was open for this long: a quiet stream has no
// events.
const openMinMs = 10_000;
// How long to read on after the last event. The server closes the stream sooner.
const endOfStreamMs = 1_000;

/** The events of a stream. A stream that breaks is opened again at the same position, unless a retry would not help. */
export async function* reopenStream<Event>(
  { options: ofClient }: Transport,
  source: StreamSource<Event>,
  { deadlineAtMs, onState = () => undefined, hasBegun, ...options }: ReopenOptions,
): AsyncGenerator<Event, void, undefined> {
  const { signal } = options;
  const limited = (): RequestOptions => ({ ...options, deadlineMs: remainingMs(deadlineAtMs) });
  const outageEndMs = (): number =>
    deadlineAtMs < Infinity ? deadlineAtMs : Date.now() + (source.outageMaxMs ?? Infinity);
  const isPaused = (): boolean => isPageHidden() && source.mayPause?.() !== false;
  let giveUpAtMs = outageEndMs();
  // Why the stream broke, until its next event.
  let failure: WorktableError | undefined;
  // Counts the pauses of the current stream, because the page may be shown again before the stream has ended.
  let pauses = 0;
  let hasEnded = false;
  onState({ state: 'connecting' });
  for (let attempt = 1; ; attempt += 1) {
    if (pauses > 0 || isPaused()) await waitWhile(isPaused, { deadlineAtMs, onState, signal });
    pauses = 0;
    let openedAtMs = Infinity;
    try {
      const { data: events, limit } = await source.open({ ...limited(), ...(hasBegun && { retriesMax: 0 }) });
      hasBegun = true;
      openedAtMs = Date.now();
      const check = (): void => {
        if (isPaused()) pauses += 1;
        if (isPaused() || isOffline()) limit.shorten(0);
      };
      const stopChecking = onPageChange(check);
      try {
        for (let next = await events.next(); next.done !== true; next = await events.next()) {
          throwIfAborted(signal);
          const event = await source.receive(next.value, limited());
          attempt = 0;
          failure = undefined;
          giveUpAtMs = outageEndMs();
          hasEnded = event !== undefined && source.isLast?.(event) === true;
          if (event !== undefined) yield event;
          if (hasEnded) return;
          check();
        }
      } finally {
        stopChecking();
        if (hasEnded) await readToEnd(events, limit);
        limit.end();
        await events.return();
      }
      failure = new ConnectionError('The stream ended.');
    } catch (error) {
      failure = failureOf(error, hasBegun, failure && (source.errorOf?.(failure) ?? failure));
    }
    if (pauses > 0) continue;
    if (Date.now() - openedAtMs >= openMinMs) giveUpAtMs = outageEndMs();
    const onRetry = reportTo(ofClient.onRetry, onState);
    const error = failure;
    const failed = { operation: source.operation, attempt: Math.max(1, attempt), error };
    await waitForRetry(failed, { onRetry, deadlineAtMs: giveUpAtMs, signal }).catch((reason: unknown) => {
      throw reason === error ? (source.errorOf?.(error) ?? error) : reason;
    });
  }
}

/** Why an attempt failed. Throws if that ends the stream: an error before it began, an abort or the deadline. */
function failureOf(cause: unknown, hasBegun: boolean, outage?: WorktableError): WorktableError {
  if (!hasBegun || cause instanceof AbortError) throw cause;
  // A deadline during an attempt ends the outage, as a deadline between two attempts does.
  if (cause instanceof TimeoutError && cause.limit === 'deadline') throw outage ?? cause;
  if (isOffline()) return new ConnectionError(offlineMessage, { cause });
  return cause instanceof WorktableError ? cause : new ConnectionError('The stream broke.', { cause });
}

async function waitWhile(
  isPaused: () => boolean,
  {
    deadlineAtMs,
    onState,
    signal,
  }: Required<Pick<ReopenOptions, 'deadlineAtMs' | 'onState'>> & RequestOptions,
): Promise<void> {
  onState({ state: 'paused' });
  // The page ends the sleep when it is shown.
  while (isPaused() && remainingMs(deadlineAtMs) > 0)
    await sleep(Math.min(60_000, remainingMs(deadlineAtMs)), signal);
  onState({ state: 'connecting' });
}

/** Browsers show a response as canceled unless it is read to its end. */
async function readToEnd(events: AsyncGenerator, limit: TimeLimit): Promise<void> {
  limit.shorten(endOfStreamMs);
  await events.next().catch(() => undefined);
}

/** Reports a wait to the client and to the followers of a stream. */
function reportTo(
  onRetry: (wait: RetryWait) => void,
  onState: (state: StreamState) => void,
): (wait: RetryWait) => void {
  return (wait) => {
    onRetry(wait);
    const state = isOffline() ? 'offline' : 'lost';
    onState({ state, reason: String(wait.error), retryInMs: wait.retryInMs });
  };
}
