import type { RowKey } from '../../db/row-key.ts';
import { createEventBus, type EventBus } from '../../lib/event-bus.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';

/** What has changed about a run or a session: anything, or only the text that the model of a run is writing. */
export type RunUpdate = 'any' | 'text';

/**
 * Publishes the updates of runs by run id, and of sessions by `topicOfSession`. `watchRuns` adds the updates by other
 * processes.
 */
export type RunEventBus = EventBus<RunUpdate>;

/** Includes the user, because two users' sessions may share an id. The space is unambiguous, because ids have none. */
export function topicOfSession({ userId, id }: RowKey): string {
  return `${userId} ${id}`;
}

export function createRunEventBus(waiters: FairLimit): RunEventBus {
  return createEventBus<RunUpdate>(waiters, (unread, next) => (unread === 'any' ? unread : next));
}
