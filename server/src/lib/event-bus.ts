import { addAbortListener } from 'node:events';
import type { Caller } from '../contract/operation.ts';

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
  /**
   * Subscribes until the signal aborts. Returns a function that resolves to the updates since its previous call, merged
   * into one. It waits if there is none, and resolves to undefined if the signal aborts first.
   */
  subscribe(topic: Topic, signal: AbortSignal): () => Promise<Update | undefined>;
  topics(): Topic[];
}

// Ends streams whose token never expires, or whose token was signed with a withdrawn key. Most tokens expire sooner.
const streamMaxMs = 3_600_000;

/** Returns a signal that ends a caller's stream: with the given signals, with its token, or after an hour. */
export function endOfStream(
  { tokenRefusedAtMs = Infinity }: Caller,
  ...signals: readonly AbortSignal[]
): AbortSignal {
  // One millisecond more, because a timer may fire a millisecond early.
  const lifetimeMs = Math.min(streamMaxMs, Math.max(0, tokenRefusedAtMs - Date.now()) + 1);
  return AbortSignal.any([...signals, AbortSignal.timeout(lifetimeMs)]);
}

interface Subscribers<Update> {
  readonly topic: Topic;
  readonly listeners: Set<(update: Update) => void>;
}

/** `merge` merges an unread update with the next one, so that slow readers have no backlog. */
export function createEventBus<Update>(merge: (unread: Update, next: Update) => Update): EventBus<Update> {
  const subscribed = new Map<string, Subscribers<Update>>();
  return {
    publish: (topicId, update) => {
      for (const listener of subscribed.get(topicId)?.listeners ?? []) listener(update);
    },
    subscribe: (topic, signal) => {
      let unread: Update | undefined;
      let wake: (value?: unknown) => void = () => undefined;
      const listener = (update: Update): void => {
        unread = unread === undefined ? update : merge(unread, update);
        wake();
      };
      const subscribers = subscribed.get(topic.id) ?? { topic, listeners: new Set() };
      subscribed.set(topic.id, subscribers);
      subscribers.listeners.add(listener);
      addAbortListener(signal, () => {
        subscribers.listeners.delete(listener);
        if (subscribers.listeners.size === 0) subscribed.delete(topic.id);
        wake();
      });
      return async () => {
        if (unread === undefined && !signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<unknown>();
          wake = resolve;
          await promise;
        }
        const update = unread;
        unread = undefined;
        return update;
      };
    },
    topics: () => [...subscribed.values()].map(({ topic }) => topic),
  };
}
