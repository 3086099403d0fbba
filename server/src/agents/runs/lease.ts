import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { findAgent, type StoredAgent } from '../agent-store.ts';
import type { RunKey } from './run-store.ts';

/** A run in the hands of one worker. */
export interface LeasedRun extends RunKey {
  readonly sessionId: string;
  readonly agent: StoredAgent;
  readonly context: Readonly<Record<string, unknown>>;
  readonly seq: string;
  /** A worker that holds an older attempt has lost the run. */
  readonly attempt: number;
  /** Since the first attempt began. */
  readonly elapsedMs: number;
}

/** Another worker has taken the run up, because this one was thought to be dead. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Takes up the oldest unfinished run of a session. */
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
        // Where another worker is just finishing that run, the lock waits for it and goes to the next run.
        .forUpdate(),
    )
    // Checked again for the row that is updated, as a snapshot may show a run that is finished by now.
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

/** The largest number that an integer column takes. */
const integerMax = 2_147_483_647;

// A run may have begun long ago, and by a clock that was set back since.
const elapsedMs = sql<number>`
  least(greatest(extract(epoch from clock_timestamp() - started_at) * 1000, 0), ${sql.lit(integerMax)})::int`;

/** Keeps the run in the hands of this worker until the transaction ends. */
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
  if (held === undefined) throw new LeaseLost(`Run ${run.id} is in other hands.`);
}

/** Adds what a step used. A model server may count anything, and no count may make the run fail. */
export async function addUsage(
  transaction: Db,
  run: LeasedRun,
  { input_tokens, output_tokens }: Schemas['Usage'],
): Promise<void> {
  await transaction
    .updateTable('runs')
    .set({
      input_tokens: sumOf('input_tokens', input_tokens),
      output_tokens: sumOf('output_tokens', output_tokens),
    })
    .where('user_id', '=', run.userId)
    .where('id', '=', run.id)
    .execute();
}

/** The sum in a column and a count, as a whole number that the column takes. */
function sumOf(column: 'input_tokens' | 'output_tokens', count: number): RawBuilder<number> {
  const added = sql`greatest(${count}::float8, 0)`;
  return sql`least(coalesce(${sql.ref(column)}, 0) + ${added}, ${sql.lit(integerMax)})::int`;
}

export type Outcome = { readonly output: string } | { readonly error: Schemas['RunError'] };

export async function finishRun(db: Db, run: LeasedRun, outcome: Outcome): Promise<void> {
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
  if (numUpdatedRows === 0n) throw new LeaseLost(`Run ${run.id} is in other hands.`);
}
