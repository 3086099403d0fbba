import { isDeepStrictEqual } from 'node:util';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { logOutage } from '../../log.ts';
import type { Schemas } from '../../operation.ts';
import { isInProgress } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { endOfLog, type RunUpdate } from './run-event-bus.ts';

/** One query reads all runs that requests wait for, at this interval. */
const intervalMs = 500;

type WatchServices = Pick<AgentServices, 'db' | 'runEvents' | 'activeRuns' | 'logger'>;

/**
 * Publishes the state of the runs that requests of this process wait for. It reads the state from the database, so it
 * also sees changes by other processes. Returns a function that ends the watch.
 */
export function watchRuns({ db, runEvents, activeRuns, logger }: WatchServices): () => void {
  const onError = logOutage(logger, outage);
  let states = new Map<string, RunState>();
  let isReading = false;
  const read = async (): Promise<void> => {
    const runs = runEvents.topics();
    if (runs.length === 0 || isReading) return;
    isReading = true;
    try {
      const rows = await findStates(db, runs);
      const latest = new Map(
        // For runs of this process, the worker publishes the text.
        rows.map((row) => [row.id, activeRuns.has(row.id) ? { ...row, preview_bytes: null } : row]),
      );
      for (const { id } of runs) {
        const state = latest.get(id);
        // A run without a row was deleted. Publish this too, so that requests stop waiting.
        if (state === undefined || !isDeepStrictEqual(states.get(id), state))
          runEvents.publish(id, updateOf(state));
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

interface RunState extends Pick<Schemas['Run'], 'id' | 'status'> {
  /** The sequence number of the last message in the run's session. */
  readonly message_count: number;
  /** Changes when the run begins to wait. */
  readonly waited_after_attempt: number;
  /** The size of the text that the model is writing; null while it writes none. */
  readonly preview_bytes: number | null;
  /** For a queued run, the id and status of the earlier run that it waits for. */
  readonly ahead: string | null;
}

// The end of the log, only for a run that no worker continues. A stream would otherwise end before the text that the
// model is still writing.
function updateOf(state: RunState | undefined): RunUpdate {
  if (state === undefined || !isInProgress(state)) return endOfLog;
  return { kind: 'log', upToSeq: state.message_count };
}

async function findStates(
  db: Db,
  runs: readonly { readonly id: string; readonly userId: string }[],
): Promise<RunState[]> {
  const users = [...new Set(runs.map(({ userId }) => userId))];
  const ids = runs.map(({ id }) => id);
  // With one user, Citus asks only the user's node; with an array, it asks all nodes.
  const [user] = users;
  const owned = (column: string): RawBuilder<boolean> =>
    users.length === 1
      ? sql<boolean>`${sql.ref(column)} = ${user}`
      : sql<boolean>`${sql.ref(column)} = any(${users}::text[])`;
  const { rows } = await sql<RunState>`
    select run.id, run.status, run.waited_after_attempt, session.message_count, octet_length(run.preview) as preview_bytes,
      case when run.status = 'queued' then (
        select ahead.id || ' ' || ahead.status from runs ahead
        where ${owned('ahead.user_id')} and ahead.user_id = run.user_id and ahead.session_id = run.session_id
          and ahead.seq < run.seq and ahead.status in ('queued', 'running', 'requires_action')
        order by ahead.seq
        limit 1
      ) end as ahead
    from runs run join sessions session on session.user_id = run.user_id and session.id = run.session_id
    where ${owned('run.user_id')} and ${owned('session.user_id')} and run.id = any(${ids}::uuid[])`.execute(
    db,
  );
  return rows;
}

const outage = {
  failed: 'the runs of other servers cannot be read, so requests wait',
  recovered: 'reading the runs of other servers has not failed for ten seconds',
};
