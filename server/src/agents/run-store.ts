import { sql, type Selectable } from 'kysely';
import { lockKey } from '../db/advisory-lock.ts';
import type { Db, RunRow } from '../db/tables.ts';
import type { Schemas } from '../operations.ts';

/** Which run, and whose. */
export interface RunKey {
  readonly id: string;
  readonly userId: string;
}

export interface NewRun extends RunKey {
  readonly sessionId: string;
  readonly agentId: string;
  readonly runtime: string;
  readonly model: string | null;
  readonly context: Readonly<Record<string, unknown>>;
}

const wireColumns = [
  'id',
  'agent_id',
  'session_id',
  'status',
  'output',
  'error',
  'input_tokens',
  'output_tokens',
  'runtime',
  'model',
  'created_at',
  'completed_at',
] as const;

export async function insertRun(db: Db, run: NewRun): Promise<Schemas['Run']> {
  const row = await db
    .insertInto('runs')
    .values({
      id: run.id,
      user_id: run.userId,
      session_id: run.sessionId,
      agent_id: run.agentId,
      status: 'queued',
      context: JSON.stringify(run.context),
      runtime: run.runtime,
      model: run.model,
      created_at: sql`clock_timestamp()`,
    })
    .returning(wireColumns)
    .executeTakeFirstOrThrow();
  return runFromRow(row);
}

export async function findRun(db: Db, { id, userId }: RunKey): Promise<Schemas['Run'] | undefined> {
  const row = await db
    .selectFrom('runs')
    .select(wireColumns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : runFromRow(row);
}

export async function findLatestRun(
  db: Db,
  session: { readonly id: string; readonly userId: string },
): Promise<Schemas['Run'] | undefined> {
  const row = await db
    .selectFrom('runs')
    .select(wireColumns)
    .where('user_id', '=', session.userId)
    .where('session_id', '=', session.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : runFromRow(row);
}

/** Lets nobody else start a run of this user until the transaction ends, and counts those that are not finished. */
export async function lockUnfinishedRuns(transaction: Db, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(${lockKey('runs of a caller', userId)})`.execute(transaction);
  const { count } = await transaction
    .selectFrom('runs')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('status', 'in', unfinished)
    .executeTakeFirstOrThrow();
  return count;
}

/** The ids of the runs that are queued or running, of all users. */
export async function findUnfinishedRuns(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('runs').select('id').where('status', 'in', unfinished).execute();
  return rows.map(({ id }) => id);
}

export function isFinished({ status }: Pick<Schemas['Run'], 'status'>): boolean {
  return !unfinished.some((each) => each === status);
}

const unfinished = ['queued', 'running'] as const;

function runFromRow(row: Pick<Selectable<RunRow>, (typeof wireColumns)[number]>): Schemas['Run'] {
  const { input_tokens, output_tokens, ...run } = row;
  const usage = input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens };
  return { ...run, usage };
}
