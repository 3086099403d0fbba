import { sql, type RawBuilder } from 'kysely';
import { integerMax } from '../../db/integer.ts';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, StoredWaiting, ToolCallDecisions } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import type { Schemas } from '../../operation.ts';
import { findAgentOfRun } from '../agent-store.ts';
import type { StoredAgent } from '../agent.ts';
import { statusInProgress, statusUnfinished } from './run-store.ts';

/** A run that one worker holds, until the run is finished or its heartbeats stop and another worker leases it. */
export interface LeasedRun extends RowKey {
  readonly sessionId: string;
  /** The agent at the time of the lease. */
  readonly agent: StoredAgent;
  /** The runtime at the start of the run. The agent may have another one by now. */
  readonly runtime: string;
  readonly context: Readonly<Record<string, unknown>>;
  /** The request that started the run or let it continue, for the log. */
  readonly requestId: string | null;
  /** The position of the run in its session. */
  readonly seq: string;
  /** Counts the leases of the run. It is the fencing token: writes with a lower attempt are rejected. */
  readonly attempt: number;
  /** The attempt after which the run last waited; 0 if it never did. See the column in `db/tables`. */
  readonly waitedAfterAttempt: number;
  readonly decisions: ToolCallDecisions;
  /** The run's last wait for its model server; null if it did not wait. */
  readonly waiting: StoredWaiting | null;
  /** The tool call that began to take effect outside the database. Its result is lost if it is not in the log. */
  readonly begunCallId: string | null;
  /** The time from the first lease to this one, without waits for decisions. */
  readonly elapsedMs: number;
  /** The time of the lease, by `performance.now()`. */
  readonly leasedMs: number;
}

/**
 * Thrown if this worker no longer holds the run: the run was cancelled, deleted, or leased by a worker that considered
 * this worker dead.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost';

  constructor(runId: string) {
    super(`Run ${runId} was cancelled, deleted or leased by another worker.`);
  }
}

/**
 * Leases the oldest unfinished run of a session, unless the run waits for decisions. It does not check whether another
 * worker is alive: one worker at a time has the turn of a session. If an older worker
 * still works, the database rejects its writes, because `attempt` is now higher.
 */
export async function leaseRun(db: Db, { id: sessionId, userId }: RowKey): Promise<LeasedRun | undefined> {
  const now = await readTime(db);
  const row = await db
    .updateTable('runs')
    .set({
      status: 'running',
      attempt: sql`attempt + 1`,
      started_at: sql`coalesce(started_at, ${now}::timestamptz)`,
    })
    .where('user_id', '=', userId)
    .where('id', '=', lockOldestUnfinished({ id: sessionId, userId }))
    // Checks the updated row too, because the run may have finished since the snapshot.
    .where(statusInProgress)
    .returning(['id', 'agent_id', 'runtime', 'context', 'seq', 'attempt', 'decisions'])
    .returning(['waited_after_attempt', 'elapsed_ms', 'started_at', 'begun_call_id', 'waiting', 'request_id'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const {
    agent_id,
    decisions,
    begun_call_id,
    waited_after_attempt,
    elapsed_ms,
    started_at,
    request_id,
    ...others
  } = row;
  const agent = await findAgentOfRun(db, { id: agent_id, userId });
  return {
    ...others,
    userId,
    sessionId,
    agent,
    decisions: decisions ?? {},
    waitedAfterAttempt: waited_after_attempt,
    begunCallId: begun_call_id,
    requestId: request_id,
    elapsedMs: elapsed_ms + Math.max(0, Date.parse(now) - Date.parse(started_at ?? now)),
    leasedMs: performance.now(),
  };
}

/** Reads the database's time. Citus does not allow `now()` in the UPDATE. */
async function readTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()`.execute(db);
  return rows[0]?.now ?? timestamp();
}

/**
 * Selects and locks the oldest unfinished run of a session. If a worker is finishing that run, the statement waits for
 * the commit and selects the next run.
 */
function lockOldestUnfinished({ id, userId }: RowKey): RawBuilder<string> {
  return sql<string>`(
    select id from runs
    where user_id = ${userId} and session_id = ${id} and ${statusUnfinished}
    order by seq
    limit 1
    for update
  )`;
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
    const held = await transaction
      .selectFrom('runs')
      .select('id')
      .where(isHeld(run))
      .forUpdate()
      .executeTakeFirst();
    if (held === undefined) throw new LeaseLost(run.id);
    await write(transaction);
  });
}

/** Records that a call begins, so that no worker repeats it. */
export async function beginCall(transaction: Db, run: LeasedRun, callId: string): Promise<void> {
  await sql`
    update runs set begun_call_id = ${callId} where ${isRow(run)}`.execute(transaction);
}

/** Adds the tokens of a step. The sum is capped, because a model server may report any number. */
export async function addUsage(
  transaction: Db,
  run: LeasedRun,
  { input_tokens, output_tokens }: Schemas['Usage'],
): Promise<void> {
  await sql`
    update runs set
      input_tokens = ${cappedSum('input_tokens', input_tokens)},
      output_tokens = ${cappedSum('output_tokens', output_tokens)}
    where ${isRow(run)}`.execute(transaction);
}

function cappedSum(column: string, count: number): RawBuilder<unknown> {
  return sql`least(coalesce(${sql.ref(column)}, 0) + ${count}::bigint, ${integerMax})`;
}
