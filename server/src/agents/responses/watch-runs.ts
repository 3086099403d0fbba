import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Topic } from '../../lib/event-bus.ts';
import { every } from '../../lib/every.ts';
import { logOutage } from '../../ops/log.ts';
import type { Schemas } from '../../contract/operation.ts';
import { isInProgress, statusUnfinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { endOfLog, topicOfSession, type RunUpdate } from './run-event-bus.ts';

/** One query reads the states of all sessions whose runs or messages requests wait for, at this interval. */
const intervalMs = 500;

/**
 * Publishes that runs and sessions have changed, to the requests of this process that follow them, until the signal
 * aborts. It reads their state from the database, so it also sees changes by other processes.
 */
export function watchRuns(
  { db, runEvents, activeRuns, logger }: Pick<AgentServices, 'db' | 'runEvents' | 'activeRuns' | 'logger'>,
  signal: AbortSignal,
): void {
  let states: ReadonlyMap<string, string> = new Map();
  const read = async (): Promise<void> => {
    const topics = runEvents.topics();
    if (topics.length === 0) return;
    const latest = new Map<string, { readonly update: RunUpdate; readonly state: string }>();
    for (const { user_id: userId, id, message_count, runs } of await findSessions(db, topics)) {
      const changing = Object.values(runs).map(({ preview_bytes: _, ...run }) => run);
      const state = JSON.stringify([message_count, changing]);
      const update: RunUpdate = { kind: 'log', upToSeq: message_count };
      latest.set(topicOfSession({ id, userId }), { update, state });
      for (const [runId, run] of Object.entries(runs)) {
        // For runs of this process, the worker publishes the text.
        const bytes = activeRuns.has(runId) ? null : run.preview_bytes;
        // A run that a worker continues has no `endOfLog`, which would end its stream before the text of the model.
        const ownUpdate = isInProgress(run) ? update : endOfLog;
        latest.set(runId, { update: ownUpdate, state: `${state} ${bytes}` });
      }
    }
    for (const { id } of topics) {
      const found = latest.get(id);
      // Publish the end of a run and a deletion each time, so that requests stop waiting.
      if (found === undefined) runEvents.publish(id, endOfLog);
      else if (states.get(id) !== found.state) runEvents.publish(id, found.update);
    }
    states = new Map([...latest].map(([id, { state }]) => [id, state]));
  };
  void every(intervalMs, signal, read, logOutage(logger, outage));
}

interface SessionState {
  readonly user_id: string;
  readonly id: string;
  readonly message_count: number;
  /** The unfinished runs by id. */
  readonly runs: Readonly<Record<string, RunState>>;
}

interface RunState extends Pick<Schemas['Run'], 'status'> {
  /** Changes when the run begins to wait. */
  readonly waited_after_attempt: number;
  readonly decisions_bytes: number | null;
  /** The size of the text that the model is writing; null while it writes none. */
  readonly preview_bytes: number | null;
}

async function findSessions(db: Db, topics: readonly Topic[]): Promise<readonly SessionState[]> {
  const users = [...new Set(topics.map(({ userId }) => userId))];
  // With one user, Citus asks only the user's node; with an array, all nodes.
  const isOwned = (column: string): RawBuilder<boolean> =>
    users.length === 1
      ? sql<boolean>`${sql.ref(column)} = ${users[0]}`
      : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
  const ids = topics.map(({ sessionId }) => sessionId ?? '');
  const { rows } = await sql<SessionState>`
    select session.user_id, session.id, session.message_count, coalesce((
      select json_object_agg(run.id, json_build_object(
        'status', run.status, 'waited_after_attempt', run.waited_after_attempt,
        'decisions_bytes', octet_length(run.decisions::text), 'preview_bytes', octet_length(run.preview)))
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
