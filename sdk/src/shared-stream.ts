import { TimeoutError } from './errors.ts';
import { isLast, type ServerEvent } from './event-stream.ts';
import type { StreamState } from './options.ts';
import { mustPause, reopenStream, type ReopenOptions, type StreamSource } from './reopened-stream.ts';
import { findSharedStream, holdStream, type SharedStream } from './tabs.ts';
import { startTimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

/**
 * The events of a stream. If the tabs of a user can share the stream, one tab holds it and sends the others its events.
 */
export async function* followStream<Event extends ServerEvent>(
  transport: Transport,
  key: readonly unknown[],
  sourceOf: (isShared: boolean) => StreamSource<Event>,
  options: Partial<ReopenOptions>,
): AsyncGenerator<Event, void, undefined> {
  const { deadlineMs = Infinity, deadlineAtMs = Date.now() + deadlineMs, onState, ...others } = options;
  const limit = startTimeLimit(Infinity, deadlineAtMs, options.signal);
  let source: StreamSource<Event> | undefined;
  let leave: (() => void) | undefined;
  let isLost = false;
  const unread: Received<Event>[] = [];
  let wake: () => void = () => undefined;
  try {
    const shared = await limit.race(() => findSharedStream(transport, key));
    source = sourceOf(shared !== undefined);
    if (shared === undefined) return yield* reopenStream(transport, source, { ...options, deadlineAtMs });
    leave = join(transport, shared, source, others, (message) => {
      unread.push(message);
      wake();
    });
    onState?.({ state: 'connecting' });
    for (;;) {
      const message = unread.shift();
      if (message === undefined) await limit.race(() => new Promise<void>((resolve) => (wake = resolve)));
      else if ('error' in message) throw message.error;
      else if ('state' in message) {
        isLost = 'reason' in message.state;
        onState?.(message.state);
      } else {
        isLost = false;
        yield message.event;
        if (isLast(source, message.event)) return;
      }
    }
  } catch (error) {
    // If the deadline passes during an outage, the source chooses the error.
    throw (isLost && error instanceof TimeoutError && source?.errorOf?.(error)) || error;
  } finally {
    limit.end();
    leave?.();
  }
}

/** An event or a state of the stream. */
type Message<Event> = { readonly event: Event } | { readonly state: StreamState };

/** What a listener receives. An error ends the stream. */
type Received<Event> = Message<Event> | { readonly error: unknown };

/** What tabs send each other: a tab that joins asks for the past events, and the holder sends them to all tabs. */
type Envelope<Event> = Message<Event> | { readonly joins: true } | { readonly past: readonly Event[] };

/**
 * Listens to a shared stream. The listener that has the browser's lock holds the stream. When this holder leaves, is
 * closed or crashes, another listener gets the lock. Returns a function that stops listening.
 */
function join<Event extends ServerEvent>(
  transport: Transport,
  shared: SharedStream,
  source: StreamSource<Event>,
  options: Partial<ReopenOptions>,
  listener: (message: Received<Event>) => void,
): () => void {
  const channel = new shared.Channel(shared.name);
  const events: Event[] = [];
  let isLeader = false;
  let hasPast = false;
  const receive = (message: Message<Event>): void => {
    if ('event' in message && source.past === undefined) events.push(message.event);
    listener(message);
  };
  const announce = (message: Message<Event>): void => {
    channel.postMessage(message);
    receive(message);
  };
  const relay = (message: Message<Event>): void => {
    if ('state' in message || source.accept(message.event)) receive(message);
  };
  channel.onmessage = ({ data }) => {
    // The cast holds because only this code sends messages on the channel.
    const message = data as Envelope<Event>;
    if ('joins' in message) {
      if (isLeader) channel.postMessage({ past: source.past?.() ?? events });
    } else if ('past' in message) {
      if (!hasPast) for (const event of message.past) relay({ event });
      hasPast = true;
    } else if (hasPast) relay(message);
    else channel.postMessage({ joins: true });
  };
  channel.postMessage({ joins: true });

  const lead = async (signal: AbortSignal): Promise<void> => {
    isLeader = hasPast = true;
    const onState = (state: StreamState): void => {
      announce({ state });
    };
    try {
      const events = reopenStream(transport, source, { ...options, deadlineAtMs: Infinity, signal, onState });
      for await (const event of events) announce({ event });
    } finally {
      isLeader = false;
    }
  };
  const fail = (error: unknown): void => {
    listener({ error });
  };
  const stop = holdStream(shared, () => mustPause(source), lead, fail);
  return () => {
    stop();
    channel.close();
  };
}
