import { TimeoutError } from './errors.ts';
import type { StreamState } from './options.ts';
import { mustPause, reopenStream, type ReopenOptions, type StreamSource } from './reopened-stream.ts';
import { findSharedStream, holdStream, type SharedStream } from './tabs.ts';
import { startTimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** The events of a stream, which the tabs of a user share if they can. */
export async function* followStream<Event>(
  transport: Transport,
  key: readonly unknown[],
  source: StreamSource<Event>,
  options: ReopenOptions,
): AsyncGenerator<Event, void, undefined> {
  const shared = await findSharedStream(transport, key);
  if (shared === undefined) yield* reopenStream(transport, source, options);
  else yield* shareStream(transport, shared, source, options);
}

/** The events of a stream that one of the tabs holds. The holder sends its events to the other tabs. */
export async function* shareStream<Event>(
  transport: Transport,
  shared: SharedStream,
  source: StreamSource<Event>,
  { deadlineMs = Infinity, onState, ...options }: ReopenOptions,
): AsyncGenerator<Event, void, undefined> {
  const limit = startTimeLimit(Infinity, Date.now() + deadlineMs, options.signal);
  const unread: Received<Event>[] = [];
  let wake: () => void = () => undefined;
  let isLost = false;
  const leave = join(transport, shared, source, options, (message) => {
    unread.push(message);
    wake();
  });
  try {
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
        if (source.isLast?.(message.event) === true) return;
      }
    }
  } catch (error) {
    // If the deadline passes during an outage, the source chooses the error.
    throw isLost && error instanceof TimeoutError ? (source.errorOf?.(error) ?? error) : error;
  } finally {
    limit.end();
    leave();
  }
}

/** An event or a state of the stream. */
type Message<Event> = { readonly event: Event } | { readonly state: StreamState };

/** What a listener receives. An error ends the stream. */
type Received<Event> = Message<Event> | { readonly error: unknown };

/** What tabs send each other: a tab that joins asks for the past events, and the holder sends them to all tabs. */
type Envelope<Event> = Message<Event> | { readonly joins: true } | { readonly past: readonly Event[] };

/**
 * Listens to a shared stream, which one of its listeners holds: the browser gives the lock to the next one when the
 * holder leaves, is closed or crashes. Returns a function that stops listening.
 */
function join<Event>(
  transport: Transport,
  shared: SharedStream,
  source: StreamSource<Event>,
  options: Omit<ReopenOptions, 'deadlineMs' | 'onState'>,
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
      const leading = { ...options, signal, onState };
      for await (const event of reopenStream(transport, source, leading)) announce({ event });
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
