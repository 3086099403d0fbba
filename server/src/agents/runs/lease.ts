import { sql, type RawBuilder } from 'kysely';
import { isRow, type RowKey } from '../../db/rows.ts';
import { integerMax, type Db } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { findAgentOfRun } from '../agent-store.ts';
import type { StoredAgent } from '../agent.ts';
import { selectHeld, statusInProgress, statusUnfinished, type HeldRun } from './run-store.ts';

/** A run that one worker holds until the run ends or waits, or until heartbeats stop and another worker leases it. */
export interface LeasedRun extends HeldRun {
  readonly agent: StoredAgent;
  /** The time of the lease, by `performance.now()`. */
  readonly leasedMs: number;
}

/**
 * Thrown if this worker no longer holds the run: the run was cancelled, deleted, or leased by a worker that considered
 * this worker dead.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * Leases the oldest unfinished run of a session, unless the run waits for decisions. It need not check whether another
 * worker is alive, because only one worker at a time has the turn of a session. If an older worker still works, its
 * writes fail, because `attempt` is now higher. If a worker is finishing the run, the statement waits for the commit
 * and leases the next run.
 */
export async function leaseRun(db: Db, { id: sessionId, userId }: RowKey): Promise<LeasedRun | undefined> {
  // Read the clock first, because Citus does not allow `now()` in the UPDATE.
  const clock = await sql<{ now: string }>`select now()`.execute(db);
  const now = sql`${clock.rows[0]?.now}::timestamptz`;
  // The last condition checks the updated row too, because the run may have finished since the snapshot.
  const { rows } = await sql<HeldRun>`
    update runs set status = 'running', attempt = attempt + 1, started_at = coalesce(started_at, ${now})
    where user_id = ${userId} and id = (
      select id from runs
      where user_id = ${userId} and session_id = ${sessionId} and ${statusUnfinished}
      order by seq
      limit 1
      for update
    ) and ${statusInProgress}
    returning ${selectHeld(now)}`.execute(db);
  const [run] = rows;
  if (run === undefined) return undefined;
  const agent = await findAgentOfRun(db, { id: run.agentId, userId });
  return { ...run, agent, leasedMs: performance.now() };
}

/** The condition that a worker still holds a run. */
export function isHeld(run: LeasedRun): RawBuilder<boolean> {
  return sql<boolean>`${isRow(run)} and attempt = ${run.attempt} and status = 'running'`;
}

/**
 * Runs a function in a transaction that holds the lease by locking the run. Throws if the lease is lost. Workers write
 * only through this function.
 */
export function withLease(db: Db, run: LeasedRun, write: (transaction: Db) => Promise<void>): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const held = await sql`select from runs where ${isHeld(run)} for update`.execute(transaction);
    if (held.rows.length === 0) throw new LeaseLost();
    await write(transaction);
  });
}

/** Adds the tokens of a step. The sum is capped, because a model server may report any number. */
export async function addUsage(transaction: Db, run: LeasedRun, usage: Schemas['Usage']): Promise<void> {
  await sql`
    update runs set
      input_tokens = least(coalesce(input_tokens, 0) + ${usage.input_tokens}::bigint, ${integerMax}),
      output_tokens = least(coalesce(output_tokens, 0) + ${usage.output_tokens}::bigint, ${integerMax})
    where ${isRow(run)}`.execute(transaction);
}
