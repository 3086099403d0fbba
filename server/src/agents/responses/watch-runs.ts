import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Topic } from '../../lib/event-bus.ts';
import { every } from '../../lib/every.ts';
import { logOutage } from '../../ops/log.ts';
import { statusUnfinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { topicOfSession } from './run-event-bus.ts';

/** At this interval, one query reads the state of every session that a request follows or waits for. */
const intervalMs = 500;

/**
 * Until the signal aborts, publishes the changes of runs and sessions to the requests of this process that follow them.
 * It reads the states from the database, so it also sees changes by other processes.
 */
export function watchRuns(
  { db, runEvents, workers, logger }: Pick<AgentServices, 'db' | 'runEvents' | 'workers' | 'logger'>,
  signal: AbortSignal,
): void {
  let states: ReadonlyMap<string, string> = new Map();
  const read = async (): Promise<void> => {
    const topics = runEvents.topics();
    if (topics.length === 0) return;
    const latest = new Map<string, string>();
    for (const { user_id: userId, id, message_count, runs } of await findSessions(db, topics)) {
      const state = [message_count, ...Object.values(runs).map((run) => run.state)].join();
      latest.set(topicOfSession({ id, userId }), state);
      for (const [runId, run] of Object.entries(runs)) {
        // For runs of this process, the size is not compared, because their worker publishes the text.
        const bytes = workers.findActive(runId) === undefined ? run.preview_bytes : null;
        latest.set(runId, `${state} ${bytes}`);
      }
    }
    for (const { id } of topics) {
      const state = latest.get(id);
      // A state is missing after the end of a run or a deletion. Publish that each time, so that requests stop waiting.
      if (state === undefined || states.get(id) !== state) runEvents.publish(id, 'any');
    }
    states = latest;
  };
  void every(intervalMs, signal, read, logOutage(logger, outage));
}

interface SessionState {
  readonly user_id: string;
  readonly id: string;
  readonly message_count: number;
  /**
   * The unfinished runs by id. `state` changes when anything but the preview changes, `preview_bytes` is the size of the
   * text that the model is writing.
   */
  readonly runs: Readonly<Record<string, { readonly state: string; readonly preview_bytes: number | null }>>;
}

async function findSessions(db: Db, topics: readonly Topic[]): Promise<readonly SessionState[]> {
  const users = [...new Set(topics.map(({ userId }) => userId))];
  // With one user, Citus asks only the user's node; with an array, all nodes.
  const isOwned = (column: string): RawBuilder<boolean> =>
    users.length === 1
      ? sql<boolean>`${sql.ref(column)} = ${users[0]}`
      : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
  const ids = topics.map(({ sessionId }) => sessionId ?? '');
  // `waited_after_attempt` changes when a run begins to wait.
  const { rows } = await sql<SessionState>`
    select session.user_id, session.id, session.message_count, coalesce((
      select json_object_agg(run.id, json_build_object(
        'state', concat_ws(' ', run.status, run.waited_after_attempt, octet_length(run.decisions::text)),
        'preview_bytes', octet_length(run.preview)))
      from runs run
      where ${isOwned('run.user_id')} and run.user_id = session.user_id and run.session_id = session.id
        and ${statusUnfinished}
    ), '{}') as runs
    from sessions session
    where ${isOwned('session.user_id')} and session.id = any(${ids}::text[])`.execute(db);
  return rows;
}

const outage = {
  failed: 'the runs that requests follow cannot be read, so they wait',
  recovered: 'reading the runs that requests follow has not failed for ten seconds',
};
