import { sql, type Selectable } from 'kysely';
import { lockKey } from '../../db/advisory-lock.ts';
import type { Db, RunRow } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import type { RunJob } from './run-job.ts';

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

/** Blocks other transactions that start runs of this user until this one ends, and counts the unfinished runs. */
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

const pageLength = 500;

/** The queued and running runs of all users, in pages, because there may be very many. */
export async function* findUnfinishedRuns(db: Db): AsyncGenerator<RunJob[]> {
  let after = { userId: '', runId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const page = await db
      .selectFrom('runs')
      .select(['id as runId', 'user_id as userId', 'session_id as sessionId'])
      // Literals, because a plan with parameters cannot use the partial index of unfinished runs.
      .where(sql<boolean>`status in ('queued', 'running')`)
      .where(sql<boolean>`(user_id, id) > (${after.userId}, ${after.runId}::uuid)`)
      .orderBy('user_id')
      .orderBy('id')
      .limit(pageLength)
      .execute();
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
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
