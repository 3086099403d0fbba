import { sql, type RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { RowKey } from '../../db/rows.ts';
import type { Db } from '../../db/tables.ts';
import type { EventBus, Topic } from '../../lib/event-bus.ts';
import { every } from '../../lib/every.ts';
import { logOutage } from '../../ops/log.ts';
import { statusUnfinished } from '../runs/run-store.ts';
import type { Workers } from '../runs/workers.ts';

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

/** At this interval, one query reads the state of every session that a request follows or waits for. */
const intervalMs = 500;

/**
 * Until the signal aborts, publishes the changes of runs and sessions to the requests of this process that follow them.
 * It reads the states from the database, so it also sees changes by other processes.
 */
export function watchRuns(
  db: Db,
  runEvents: RunEventBus,
  workers: Workers,
  logger: Logger,
  signal: AbortSignal,
): void {
  let states: ReadonlyMap<string, string | undefined> = new Map();
  const read = async (): Promise<void> => {
    const topics = runEvents.topics();
    if (topics.length === 0) return;
    const sessions = await findStates(db, topics);
    const latest = topics.map(({ id, userId, sessionId = '' }) => {
      const session = topicOfSession({ userId, id: sessionId });
      const [state, sizeOfText] = sessions.get(session) ?? [];
      // Only streams of the run have its unfinished text, which its worker publishes in its own process.
      const hasText = sizeOfText?.includes(id) === true && workers.findActive(id) === undefined;
      return [id, hasText ? `${state} ${sizeOfText}` : state] as const;
    });
    // The session of a topic without a state was deleted. Publish that each time, so that requests stop waiting.
    for (const [id, state] of latest)
      if (state === undefined || states.get(id) !== state) runEvents.publish(id, 'any');
    states = new Map(latest);
  };
  void every(intervalMs, signal, read, logOutage(logger, outage));
}

type SessionState = readonly [state: string, sizeOfText: string | null];

/**
 * Reads the state of sessions, by their topics. It changes when anything but the text changes that a model is writing.
 * The id of the run with this text, and the size of the text, come second.
 */
async function findStates(db: Db, topics: readonly Topic[]): Promise<ReadonlyMap<string, SessionState>> {
  const users = [...new Set(topics.map(({ userId }) => userId))];
  // With one user, Citus asks only the user's node; with an array, all nodes.
  const isOwned = (column: string): RawBuilder<boolean> =>
    users.length === 1
      ? sql<boolean>`${sql.ref(column)} = ${users[0]}`
      : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
  const ids = topics.map(({ sessionId }) => sessionId ?? '');
  // `created_at` differs in a later session with the same id, and `waited_after_attempt` when a run begins to wait.
  const { rows } = await sql<{ topic: string; state: SessionState }>`
    select session.user_id || ' ' || session.id as topic, (
      select array[
        concat_ws(' ', session.created_at, session.message_count, string_agg(concat_ws(
          ' ', run.id, run.status, run.waited_after_attempt, octet_length(run.decisions::text)), ' ' order by seq)),
        string_agg(run.id || ' ' || octet_length(run.preview), ' ')
      ]
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
