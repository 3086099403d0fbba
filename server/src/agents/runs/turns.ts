import { sql, type RawBuilder } from 'kysely';
import type { Db, RunRow } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import type { LoggedRun } from '../sessions/message-store.ts';
import { statusInProgress, statusUnfinished } from './run-store.ts';

/**
 * The turn of a session: the right to execute its oldest unfinished run. `session_turns` has one row for each session
 * with an unfinished run. server/src/README.md, "Runs and the turns of their sessions", says when rows change.
 */
export interface Turn {
  readonly userId: string;
  readonly sessionId: string;
  /** The runtime of the run; null if the run waits for decisions, or if a worker must first find the next run. */
  readonly runtime: string | null;
  readonly latestRunId: string;
  /** The id of this claim. Only the worker that made it may end the turn. */
  readonly worker: string;
  /** Counts the claims since the last turn that ended without an error. */
  readonly attempts: number;
}

type OfSession = Pick<LoggedRun, 'userId' | 'sessionId'>;

/** Adds a turn for a run, in the transaction that queues it. An existing turn only gets a new `latest_run_id`. */
export async function addTurn(
  transaction: Db,
  { id, userId, sessionId, runtime }: OfSession & Pick<RunRow, 'id' | 'runtime'>,
): Promise<void> {
  await sql`
    insert into session_turns (user_id, session_id, runtime, latest_run_id)
    values (${userId}, ${sessionId}, ${runtime}, ${id})
    on conflict (user_id, session_id) do update set latest_run_id = excluded.latest_run_id`.execute(
    transaction,
  );
}

/**
 * Makes a turn claimable now. `isTaken` takes it from the worker that executes the run. In a transaction, call this
 * last: a transaction that starts a run locks the session before the turn, and another order could deadlock.
 */
export async function hastenTurn(
  transaction: Db,
  { userId, sessionId }: OfSession,
  runtime: string | null,
  isTaken = false,
): Promise<void> {
  const taken = isTaken ? sql`, worker = null, locked_until = null` : sql``;
  await sql`
    update session_turns set run_after = least(run_after, now()), runtime = ${runtime}${taken}
    where user_id = ${userId} and session_id = ${sessionId}`.execute(transaction);
}

// A worker without a heartbeat for this long is considered dead.
const lockMs = 10_000;
const lockEnd = sql`now() + ${lockMs} * interval '1 ms'`;

const isDue = sql<boolean>`
  run_after <= now() and (locked_until is null or locked_until <= now()) and (
    runtime is null
    or runtime <> all(array(select runtime from paused_runtimes))
      and not exists (select from paused_runtimes where runtime = '*')
  )`;

/**
 * Claims the next turn that is due. Skips turns of the runtimes in `full`. For the runtimes in `kept`, skips users who
 * have an active turn. In both lists, '' stands for turns without a runtime. Users with the fewest active turns come
 * first; if several have equally few, users who are not in `served`.
 */
export async function claimTurn(
  db: Db,
  full: readonly string[],
  kept: readonly string[],
  served: readonly string[],
): Promise<Turn | undefined> {
  const { rows } = await sql<Turn>`
    with active as materialized (
      select user_id, count(*) as turns from session_turns where locked_until > now() group by user_id
    ), next as (
      select session_turns.user_id, session_id from session_turns left join active using (user_id)
      where ${isDue} and coalesce(runtime, '') <> all(${full}::text[])
        and (turns is null or coalesce(runtime, '') <> all(${kept}::text[]))
      order by coalesce(turns, 0), session_turns.user_id = any(${served}::text[]), run_after
      limit 1
      for update of session_turns skip locked
    )
    update session_turns as turn
    set worker = ${newId()}, locked_until = ${lockEnd}, attempts = attempts + 1
    from next where turn.user_id = next.user_id and turn.session_id = next.session_id
    returning turn.user_id as "userId", turn.session_id as "sessionId", runtime,
      latest_run_id as "latestRunId", worker, attempts`.execute(db);
  return rows[0];
}

/** Extends the locks of these turns, as a heartbeat. Resolves to the workers that still have their turn. */
export async function keepTurns(db: Db, turns: readonly Turn[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ worker: string }>`
    update session_turns set locked_until = ${lockEnd} where ${hasWorker(turns)} returning worker`.execute(
    db,
  );
  return new Set(rows.map(({ worker }) => worker));
}

/** Lets other workers claim these turns, or all turns, immediately. */
export async function releaseTurns(db: Db, turns?: readonly Turn[]): Promise<void> {
  const isReleased = turns === undefined ? sql`true` : hasWorker(turns);
  await sql`update session_turns set worker = null, locked_until = null where ${isReleased}`.execute(db);
}

function hasWorker(turns: readonly Turn[]): RawBuilder<boolean> {
  return sql<boolean>`worker = any(${turns.map(({ worker }) => worker)}::uuid[])`;
}

/**
 * Ends a turn: deletes it if the session has no unfinished run, and otherwise sets when the next run may begin. Locks
 * that run, because a decision or a cancellation may be about to bring the turn forward. A transaction that adds a run
 * changes `latest_run_id`, so the turn is then not deleted. Resolves to the milliseconds until the turn may be claimed.
 */
export async function endTurn(db: Db, turn: Turn): Promise<number> {
  const { userId, sessionId, latestRunId, attempts } = turn;
  return db.transaction().execute(async (transaction) => {
    // The oldest unfinished run of the session, or else its latest run.
    const found = await sql<{ is_unfinished: boolean; runtime: string | null; waits_until: string | null }>`
      select ${statusUnfinished} as is_unfinished, case when ${statusInProgress} then runtime end as runtime,
        case when ${statusUnfinished} then coalesce(required_action->>'expires_at', waiting->>'until') end as waits_until
      from runs
      where user_id = ${userId} and session_id = ${sessionId} and (${statusUnfinished} or id = ${latestRunId})
      order by ${statusUnfinished} desc, seq
      limit 1
      for update`.execute(transaction);
    const [next] = found.rows;
    // On Citus, a run may become visible a moment later than its turn.
    if (next === undefined && attempts < attemptsMax) {
      await repeatTurn(transaction, turn);
      return 0;
    }
    if (next?.is_unfinished !== true) {
      const { numAffectedRows } = await sql`
        delete from session_turns where ${hasWorker([turn])} and latest_run_id = ${latestRunId}`.execute(
        transaction,
      );
      if (numAffectedRows === 1n) return 0;
    }
    const { rows } = await sql<{ ms: number }>`
      update session_turns
      set worker = null, locked_until = null, attempts = 0, runtime = ${next?.runtime ?? null},
        run_after = greatest(now(), ${next?.waits_until ?? null}::timestamptz)
      where ${hasWorker([turn])}
      returning (extract(epoch from run_after - now()) * 1000)::float8 as ms`.execute(transaction);
    return rows[0]?.ms ?? 0;
  });
}

const pauseSMax = 30;
// A run that is not found in this number of claims, which take about twenty minutes, was deleted.
const attemptsMax = 60;

/** Lets a turn that failed be claimed again, after a pause that grows with each failure. */
export async function repeatTurn(db: Db, turn: Turn): Promise<void> {
  await sql`
    update session_turns
    set worker = null, locked_until = null, run_after = now() + least(attempts, ${pauseSMax}) * interval '1 s'
    where ${hasWorker([turn])}`.execute(db);
}

/** How long the oldest turn that a worker may claim has waited; 0 if there is none. */
export async function oldestWaitS(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(run_after)), 0)::float8 as seconds
    from session_turns where ${isDue}`.execute(db);
  return rows[0]?.seconds ?? 0;
}

export async function countQueuedRuns(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from runs where status = 'queued'`.execute(db);
  return rows[0]?.count ?? 0;
}
