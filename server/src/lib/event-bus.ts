import { addAbortListener } from 'node:events';
import type { Caller } from '../contract/operation.ts';
import type { FairLimit } from '../limits/fair-limit.ts';

/** What updates are about: a run, a session, or the changes of a user. */
export interface Topic {
  readonly id: string;
  readonly userId: string;
  /** The id of the session, also if the topic is a run of the session. */
  readonly sessionId?: string;
}

/** Passes updates to requests of this process that wait for them. */
export interface EventBus<Update> {
  publish(topicId: string, update: Update): void;
  /** Throws the rejection of the limit if the user has no room for another subscription. */
  subscribe(topic: Topic): Subscription<Update>;
  /** Limits the number of subscriptions. */
  readonly limit: FairLimit;
  topics(): Topic[];
}

export interface Subscription<Update> {
  /**
   * Resolves to the updates since the previous call, merged into one. Waits if there is none. Resolves to undefined if
   * the signal aborts first.
   */
  readonly next: (signal: AbortSignal) => Promise<Update | undefined>;
  readonly close: () => void;
}

/**
 * Streams events until they end or the signal aborts, and then closes their subscription. An abort closes it even
 * before the first event is read. Errors after an abort are ignored.
 */
export function streamOf<Update, Event>(
  { next, close }: Subscription<Update>,
  signal: AbortSignal,
  events: (next: () => Promise<Update | undefined>) => AsyncGenerator<Event, void>,
): AsyncGenerator<Event, void> {
  // Close on abort, because the `finally` of a generator that nobody has begun to read does not run.
  addAbortListener(signal, close);
  return closeAfter(
    events(() => next(signal)),
    signal,
    close,
  );
}

async function* closeAfter<Event>(
  events: AsyncGenerator<Event, void>,
  signal: AbortSignal,
  close: () => void,
): AsyncGenerator<Event, void> {
  try {
    yield* events;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    close();
  }
}

// Ends streams whose token never expires, or whose key was withdrawn. Most other tokens expire sooner.
const streamMaxMs = 3_600_000;

/** Returns a signal that ends a caller's stream: with the given signals, with its token, or after an hour. */
export function endOfStream(
  { tokenRefusedAtMs = Infinity }: Caller,
  ...signals: readonly AbortSignal[]
): AbortSignal {
  // One more, because a timer may fire a millisecond early.
  const lifetimeMs = Math.min(streamMaxMs, Math.max(0, tokenRefusedAtMs - Date.now()) + 1);
  return AbortSignal.any([...signals, AbortSignal.timeout(lifetimeMs)]);
}

interface Subscribers<Update> {
  readonly topic: Topic;
  readonly listeners: Set<(update: Update) => void>;
}

/** `merge` merges an unread update with the next one, so that slow readers have no backlog. */
export function createEventBus<Update>(
  limit: FairLimit,
  merge: (unread: Update, next: Update) => Update,
): EventBus<Update> {
  const subscribed = new Map<string, Subscribers<Update>>();
  return {
    publish: (topicId, update) => {
      for (const listener of subscribed.get(topicId)?.listeners ?? []) listener(update);
    },
    limit,
    subscribe: (topic) => {
      if (!limit.tryAcquire(topic.userId)) throw limit.rejection;
      let unread: Update | undefined;
      let wake: (value?: unknown) => void = () => undefined;
      const listener = (update: Update): void => {
        unread = unread === undefined ? update : merge(unread, update);
        wake();
      };
      const next: Subscription<Update>['next'] = async (signal) => {
        if (unread === undefined) {
          const { promise, resolve } = Promise.withResolvers<unknown>();
          wake = resolve;
          using _listener = addAbortListener(signal, resolve);
          await promise;
        }
        const update = unread;
        unread = undefined;
        return update;
      };
      const subscribers = subscribed.get(topic.id) ?? { topic, listeners: new Set() };
      subscribed.set(topic.id, subscribers);
      subscribers.listeners.add(listener);
      const close = (): void => {
        // A second call must not remove listeners that were added since the first.
        if (!subscribers.listeners.delete(listener)) return;
        limit.release(topic.userId);
        if (subscribers.listeners.size === 0) subscribed.delete(topic.id);
      };
      return { next, close };
    },
    topics: () => [...subscribed.values()].map(({ topic }) => topic),
  };
}
