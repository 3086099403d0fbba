import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Topic } from '../../event-bus.ts';
import { logOutage } from '../../log.ts';
import type { Schemas } from '../../operation.ts';
import { isInProgress } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { endOfLog, type RunUpdate } from './run-event-bus.ts';
import { ownedBy, watch } from './watch.ts';

type WatchServices = Pick<AgentServices, 'db' | 'runEvents' | 'activeRuns' | 'logger'>;

/** Publishes the state of the runs that requests of this process wait for. Returns a function that ends this. */
export function watchRuns({ db, runEvents, activeRuns, logger }: WatchServices): () => void {
  return watch<RunUpdate, RunState>({
    bus: runEvents,
    findStates: async (topics) => {
      const rows = await findStates(db, topics);
      return new Map(
        // For runs of this process, the worker publishes the text.
        rows.map((row) => [row.id, activeRuns.has(row.id) ? { ...row, preview_bytes: null } : row]),
      );
    },
    updateOf,
    onError: logOutage(logger, outage),
  });
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

async function findStates(db: Db, runs: readonly Topic[]): Promise<RunState[]> {
  const ids = runs.map(({ id }) => id);
  const owned = (column: string): RawBuilder<boolean> => ownedBy(runs, column);
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
