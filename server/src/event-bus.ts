import { untilAborted } from './until-aborted.ts';

/** What updates are about: a run, or the changes of a user. */
interface Topic {
  readonly id: string;
  readonly userId: string;
}

/** Passes updates to the requests of this process that wait for them. */
export interface EventBus<Update> {
  publish(topicId: string, update: Update): void;
  subscribe(topic: Topic): Subscription<Update>;
  /** The number of subscriptions of a user; without a user, of all. */
  readonly waiterCount: (userId?: string) => number;
  /** The topics that have subscriptions. */
  topics(): Topic[];
}

export interface Subscription<Update> {
  /** Resolves to the updates since the previous call. Without any, it waits for one, or for abort. */
  readonly next: (signal: AbortSignal) => Promise<readonly Update[]>;
  readonly close: () => void;
}

/** Merges an unread update with the one after it, for slow readers. Returns undefined if both have to be read. */
type Coalesce<Update> = (unread: Update, next: Update) => Update | undefined;

interface Subscribers<Update> {
  readonly topic: Topic;
  readonly listeners: Set<(update: Update) => void>;
}

export function createEventBus<Update>(coalesce: Coalesce<Update>): EventBus<Update> {
  const subscribed = new Map<string, Subscribers<Update>>();
  const waitersByUser = new Map<string, number>();
  let total = 0;
  const count = (userId: string, added: 1 | -1): void => {
    total += added;
    const waiters = (waitersByUser.get(userId) ?? 0) + added;
    if (waiters === 0) waitersByUser.delete(userId);
    else waitersByUser.set(userId, waiters);
  };
  return {
    publish: (topicId, update) => {
      for (const listener of subscribed.get(topicId)?.listeners ?? []) listener(update);
    },
    subscribe: (topic) => {
      const { listener, next } = createMailbox(coalesce);
      const subscribers = subscribed.get(topic.id) ?? { topic, listeners: new Set() };
      subscribed.set(topic.id, subscribers);
      subscribers.listeners.add(listener);
      count(topic.userId, 1);
      const close = (): void => {
        // A second call must not remove listeners that were added after the first.
        if (!subscribers.listeners.delete(listener)) return;
        count(topic.userId, -1);
        if (subscribers.listeners.size === 0) subscribed.delete(topic.id);
      };
      return { next, close };
    },
    waiterCount: (userId) => (userId === undefined ? total : (waitersByUser.get(userId) ?? 0)),
    topics: () => [...subscribed.values()].map(({ topic }) => topic),
  };
}

function createMailbox<Update>(coalesce: Coalesce<Update>): {
  listener: (update: Update) => void;
  next: Subscription<Update>['next'];
} {
  let unread: Update[] = [];
  let wake: () => void = () => undefined;
  return {
    listener: (update) => {
      const last = unread.at(-1);
      const merged = last === undefined ? undefined : coalesce(last, update);
      if (merged === undefined) unread.push(update);
      else unread[unread.length - 1] = merged;
      wake();
    },
    next: async (signal) => {
      if (unread.length === 0)
        await untilAborted(signal, (resolve) => {
          wake = resolve;
        });
      const updates = unread;
      unread = [];
      return updates;
    },
  };
}
