import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { findAgent, type StoredAgent } from '../agent-store.ts';
import type { RunKey } from './run-store.ts';

/** A run that one worker holds until it is finished, or until another worker leases it after the heartbeats stop. */
export interface LeasedRun extends RunKey {
  readonly sessionId: string;
  readonly agent: StoredAgent;
  readonly context: Readonly<Record<string, unknown>>;
  readonly seq: string;
  /** How often the run has been leased. Also the fencing token: writes with an older attempt are rejected. */
  readonly attempt: number;
  /** Since the start of the first attempt. */
  readonly elapsedMs: number;
}

/** Another worker has leased the run, because this one was considered dead. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Leases the oldest unfinished run of a session. */
export async function leaseRun(
  db: Db,
  session: { readonly id: string; readonly userId: string },
): Promise<LeasedRun | undefined> {
  const row = await db
    .updateTable('runs')
    .set({
      status: 'running',
      attempt: sql`attempt + 1`,
      started_at: sql`coalesce(started_at, clock_timestamp())`,
    })
    .where('user_id', '=', session.userId)
    .where('id', '=', (query) =>
      query
        .selectFrom('runs')
        .select('id')
        .where('user_id', '=', session.userId)
        .where('session_id', '=', session.id)
        .where('status', 'in', ['queued', 'running'])
        .orderBy('seq')
        .limit(1)
        // If another worker is finishing that run, the lock waits for its commit and then selects the next run.
        .forUpdate(),
    )
    // Checked again on the row version that is updated, because the run may have finished since the snapshot.
    .where('status', 'in', ['queued', 'running'])
    .returning(['id', 'agent_id', 'context', 'seq', 'attempt'])
    .returning(elapsedMs.as('elapsed_ms'))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, agent_id, elapsed_ms, ...others } = row;
  const agent = await findAgent(db, { id: agent_id, userId: session.userId });
  if (agent === undefined) throw new Error(`The agent ${agent_id} of run ${id} does not exist.`);
  const { id: sessionId, userId } = session;
  return { ...others, id, userId, sessionId, agent, elapsedMs: elapsed_ms };
}

/** The largest value of an integer column. */
const integerMax = 2_147_483_647;

// A run may have started long ago, or the clock may have been set back since.
const elapsedMs = sql<number>`
  least(greatest(extract(epoch from clock_timestamp() - started_at) * 1000, 0), ${sql.lit(integerMax)})::int`;

/** Throws if the lease is lost; otherwise locks the run, so that the lease cannot be lost before the transaction ends. */
export async function assertLease(transaction: Db, run: LeasedRun): Promise<void> {
  const held = await transaction
    .selectFrom('runs')
    .select('id')
    .where('user_id', '=', run.userId)
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) throw new LeaseLost(`Run ${run.id} is leased by another worker.`);
}

/** Adds the tokens of a step. A model server may report any number, and none may make the run fail. */
export async function addUsage(
  transaction: Db,
  run: LeasedRun,
  { input_tokens, output_tokens }: Schemas['Usage'],
): Promise<void> {
  await transaction
    .updateTable('runs')
    .set({
      input_tokens: cappedSum('input_tokens', input_tokens),
      output_tokens: cappedSum('output_tokens', output_tokens),
    })
    .where('user_id', '=', run.userId)
    .where('id', '=', run.id)
    .execute();
}

/** A column plus a count, as an integer that fits the column. */
function cappedSum(column: 'input_tokens' | 'output_tokens', count: number): RawBuilder<number> {
  const added = sql`greatest(${count}::float8, 0)`;
  return sql`least(coalesce(${sql.ref(column)}, 0) + ${added}, ${sql.lit(integerMax)})::int`;
}

export type RunOutcome = { readonly output: string } | { readonly error: Schemas['RunError'] };

export async function finishRun(db: Db, run: LeasedRun, outcome: RunOutcome): Promise<void> {
  const result =
    'output' in outcome
      ? { status: 'completed' as const, output: outcome.output }
      : { status: 'failed' as const, error: JSON.stringify(outcome.error) };
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ ...result, completed_at: sql`clock_timestamp()` })
    .where('user_id', '=', run.userId)
    .where('id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new LeaseLost(`Run ${run.id} is leased by another worker.`);
}
