import { AbortError, ConnectionError, TimeoutError, type WorktableError } from './errors.ts';
import { isLast, openEventStream, type EventStream, type ServerEvent } from './event-stream.ts';
import type { RequestOptions, StreamState } from './options.ts';
import { isOffline, offlineMessage, onPageChange, page } from './page.ts';
import type { CallOptions } from './request.ts';
import { failureOf } from './response.ts';
import { waitForRetry } from './retries.ts';
import { sleep } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** A stream of events that can be opened again at the position after any event. */
export interface StreamSource<Event extends ServerEvent> extends EventStream<Event> {
  /** Reads the data of a truncated event. */
  readonly complete: (event: Event, options: RequestOptions) => Promise<Event>;
  /** Remembers the position of an event. Returns false for an event that is repeated. */
  readonly accept: (event: Event) => boolean;
  /** Returns false if the stream stays open while its page is hidden. By default, a hidden page closes the stream. */
  readonly mayPause?: () => boolean;
  /** The events that a tab needs when it joins a shared stream; the default is all events so far. */
  readonly past?: () => readonly Event[];
  /** How long attempts continue if there is no deadline; the default is for ever. */
  readonly outageMaxMs?: number;
  /** Makes the error that ends the stream after a failure; the default is the failure itself. */
  readonly errorOf?: (failure: WorktableError) => WorktableError;
}

/** Options of a reopened stream. The deadline limits the whole stream. `onState` must not throw. */
export interface ReopenOptions extends Omit<CallOptions, 'prefer'> {
  readonly deadlineAtMs: number;
  readonly onState?: (state: StreamState) => void;
  /** If false, a first opening that fails throws after the usual retries. Other failures open the stream again. */
  readonly hasBegun?: boolean;
}

// A stream that was open for this long begins a new outage when it is lost, even if it had no event.
const openMinMs = 10_000;
// How long to wait for the end of the stream after its last event. The server closes the stream sooner.
const endOfStreamMs = 1_000;

/** The events of a stream. A stream that breaks is opened again at the same position, unless a retry would not help. */
export async function* reopenStream<Event extends ServerEvent>(
  transport: Transport,
  source: StreamSource<Event>,
  { onState = () => undefined, hasBegun = true, ...options }: ReopenOptions,
): AsyncGenerator<Event, void, undefined> {
  const { outageMaxMs = Infinity, errorOf = (error: WorktableError) => error } = source;
  const { deadlineAtMs } = options;
  const outageEndMs = (): number => (deadlineAtMs < Infinity ? deadlineAtMs : Date.now() + outageMaxMs);
  let giveUpAtMs = outageEndMs();
  // The error that broke the stream. The next event resets it.
  let failure: WorktableError | undefined;
  // Above 0 if the page was hidden while the stream was open, even if the page is shown again before the stream ends.
  let pauses = 0;
  let hasEnded = false;
  onState({ state: 'connecting' });
  for (let attempt = 1; ; attempt += 1) {
    // After a pause, attempts get their full time again: the network may come back later than the page.
    if (pauses > 0 || mustPause(source))
      giveUpAtMs = await waitWhilePaused(source, onState, options).then(outageEndMs);
    pauses = 0;
    let openedAtMs = Infinity;
    try {
      const opening = hasBegun ? { ...options, retriesMax: 0 } : options;
      const { data: events, limit } = await openEventStream(transport, source, opening);
      hasBegun = true;
      openedAtMs = Date.now();
      const check = (): void => {
        if (mustPause(source)) pauses += 1;
        if (pauses > 0 || isOffline()) limit.end(new ConnectionError(offlineMessage));
      };
      onPageChange(check, limit.signal);
      try {
        for (let next = await events.next(); next.done !== true; next = await events.next()) {
          limit.signal.throwIfAborted();
          const event = next.value.data.truncated ? await source.complete(next.value, options) : next.value;
          attempt = 0;
          failure = undefined;
          giveUpAtMs = outageEndMs();
          hasEnded = isLast(source, event);
          if (source.accept(event)) yield event;
          if (hasEnded) return;
          // Does not check `isOffline`: the event shows that the server can be reached, for example on this device.
          if (mustPause(source)) check();
        }
        throw new ConnectionError('The stream ended.');
      } finally {
        limit.timeoutMs = endOfStreamMs;
        // Browsers show a response as canceled unless it is read to its end.
        if (hasEnded) await events.next().catch(() => undefined);
        limit.end();
        await events.return();
      }
    } catch (error) {
      if (!hasBegun || error instanceof AbortError) throw error;
      // A deadline during an attempt throws the outage's error, like a deadline between two attempts.
      if (error instanceof TimeoutError && error.limit === 'deadline')
        throw failure === undefined ? error : errorOf(failure);
      if (pauses > 0) continue;
      failure = failureOf(error, true, transport.options.baseUrl);
    }
    if (Date.now() - openedAtMs >= openMinMs) giveUpAtMs = outageEndMs();
    const waiting = { ...transport.options, ...options, onState, deadlineAtMs: giveUpAtMs };
    if (!(await waitForRetry(source.operation[0], Math.max(1, attempt), failure, waiting)))
      throw errorOf(failure);
  }
}

/** Returns true if the page is hidden and the stream does not stay open in a hidden page. */
export function mustPause(source: Pick<StreamSource<never>, 'mayPause'>): boolean {
  return page.document?.visibilityState === 'hidden' && source.mayPause?.() !== false;
}

async function waitWhilePaused(
  source: Pick<StreamSource<never>, 'mayPause'>,
  onState: (state: StreamState) => void,
  { deadlineAtMs, signal }: ReopenOptions,
): Promise<void> {
  onState({ state: 'paused' });
  // The sleep also ends when the page is shown.
  while (mustPause(source)) await sleep(Infinity, deadlineAtMs, signal);
  onState({ state: 'connecting' });
}
