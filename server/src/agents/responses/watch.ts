import { isDeepStrictEqual } from 'node:util';
import { sql, type RawBuilder } from 'kysely';
import type { EventBus, Topic } from '../../event-bus.ts';

/** One query reads the states of all topics that requests wait for, at this interval. */
const intervalMs = 500;

interface Watched<Update, State extends object> {
  readonly bus: EventBus<Update>;
  readonly findStates: (topics: readonly Topic[]) => Promise<ReadonlyMap<string, State>>;
  /** The update for a state. The state is undefined if what the topic is about was deleted. */
  readonly updateOf: (state: State | undefined) => Update;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes the state of each topic of a bus when it changes. It reads the state from the database, so it also sees
 * changes by other processes. Returns a function that ends the watch.
 */
export function watch<Update, State extends object>(watched: Watched<Update, State>): () => void {
  const { bus, findStates, updateOf, onError } = watched;
  let states: ReadonlyMap<string, State> = new Map();
  let isReading = false;
  const read = async (): Promise<void> => {
    const topics = bus.topics();
    if (topics.length === 0 || isReading) return;
    isReading = true;
    try {
      const latest = await findStates(topics);
      for (const { id } of topics) {
        const state = latest.get(id);
        // Publish a deletion each time, so that requests stop waiting.
        if (state === undefined || !isDeepStrictEqual(states.get(id), state))
          bus.publish(id, updateOf(state));
      }
      states = latest;
    } catch (error) {
      onError(error);
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void read(), intervalMs).unref();
  return () => {
    clearInterval(timer);
  };
}

/** SQL: a column has one of the users. With one user, Citus asks only the user's node; with an array, all nodes. */
export function ownedBy(topics: readonly Topic[], column: string): RawBuilder<boolean> {
  const users = [...new Set(topics.map(({ userId }) => userId))];
  const [user] = users;
  return users.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${user}`
    : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
}
