import { sql, type RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { RowKey } from '../../db/rows.ts';
import type { Db } from '../../db/tables.ts';
import type { EventBus, Topic } from '../../lib/event-bus.ts';
import { every } from '../../lib/every.ts';
import { logOutage } from '../../ops/log.ts';
import { statusUnfinished } from '../runs/run-store.ts';

/** What has changed about a run or a session: anything, or only the text that the model of a run is writing. */
export type RunUpdate = 'any' | 'text';

/**
 * Publishes the updates of runs by run id, and of sessions by `topicOfSession`. `watchRuns` adds the updates by other
 * processes.
 */
export type RunEventBus = EventBus<RunUpdate>;

/** Includes the user, because two users may have sessions with the same id. A session id contains no space. */
export function topicOfSession({ userId, id }: RowKey): string {
  return `${userId} ${id}`;
}

/** At this interval, one query reads the state of every session that a request follows or waits for. */
const intervalMs = 500;

/**
 * Until the signal aborts, publishes the changes of runs and sessions to the requests of this process that follow them.
 * It reads the states from the database, so it also sees changes by other processes.
 */
export function watchRuns(db: Db, runEvents: RunEventBus, logger: Logger, signal: AbortSignal): void {
  let states: ReadonlyMap<string, string | undefined> = new Map();
  const read = async (): Promise<void> => {
    const topics = runEvents.topics();
    if (topics.length === 0) return;
    const sessions = await findStates(db, topics);
    const latest = topics.map(({ id, userId, sessionId = '' }) => {
      return [id, sessions.get(topicOfSession({ userId, id: sessionId }))] as const;
    });
    // A topic without a state belongs to a deleted session. Publish it each time, so that requests stop waiting.
    for (const [id, state] of latest)
      if (state === undefined || states.get(id) !== state) runEvents.publish(id, 'any');
    states = new Map(latest);
  };
  void every(intervalMs, signal, read, logOutage(logger, outage));
}

/** Reads the states of sessions by topic. Each change that a stream sends also changes the state of its session. */
async function findStates(db: Db, topics: readonly Topic[]): Promise<ReadonlyMap<string, string>> {
  const users = [...new Set(topics.map(({ userId }) => userId))];
  // With one user, Citus asks only the user's node; with an array, all nodes.
  const isOwned = (column: string): RawBuilder<boolean> =>
    users.length === 1
      ? sql<boolean>`${sql.ref(column)} = ${users[0]}`
      : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
  const ids = topics.map(({ sessionId }) => sessionId ?? '');
  // `created_at` tells apart sessions with the same id. `waited_after_attempt` changes when a run begins to wait.
  const { rows } = await sql<{ topic: string; state: string }>`
    select session.user_id || ' ' || session.id as topic, (
      select concat_ws(' ', session.created_at, session.message_count, string_agg(concat_ws(
        ' ', run.id, run.status, run.waited_after_attempt, octet_length(run.decisions::text),
        run.preview_id, octet_length(run.preview)), ' ' order by seq))
      from runs run
      where ${isOwned('run.user_id')} and run.user_id = session.user_id and run.session_id = session.id
        and ${statusUnfinished}
    ) as state
    from sessions session
    where ${isOwned('session.user_id')} and session.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ topic, state }) => [topic, state]));
}

const outage = {
  failed: 'the runs that requests follow cannot be read, so they wait',
  recovered: 'reading the runs that requests follow has not failed for ten seconds',
};
