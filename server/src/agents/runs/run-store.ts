import { sql, type RawBuilder, type Selectable } from 'kysely';
import { lockKey } from '../../db/advisory-lock.ts';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, RunRow } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem } from '../../errors.ts';
import { isId, newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import type { RunJob } from './run-jobs.ts';

export const runColumns = [
  'id',
  'agent_id',
  'session_id',
  'status',
  'output',
  'error',
  'incomplete_details',
  'required_action',
  'input_tokens',
  'output_tokens',
  'runtime',
  'model',
  'created_at',
  'completed_at',
] as const;

/** The columns whose values can be long. */
export const runTexts = ['output', 'error', 'required_action'] as const;

interface NewRunOptions {
  readonly session: RowKey;
  readonly agent: { readonly id: string };
  readonly runtime: string;
  readonly model: string | null;
}

export function newRun({ session, agent, runtime, model }: NewRunOptions): Schemas['Run'] {
  return {
    id: newId(),
    agent_id: agent.id,
    session_id: session.id,
    status: 'queued',
    ...withoutResult,
    runtime,
    model,
    created_at: timestamp(),
  };
}

/** The fields of a run that has no result yet. */
export const withoutResult = {
  output: null,
  error: null,
  incomplete_details: null,
  required_action: null,
  usage: null,
  completed_at: null,
} as const satisfies Partial<Schemas['Run']>;

export async function insertRun(
  transaction: Db,
  { id, agent_id, session_id, status, runtime, model, created_at }: Schemas['Run'],
  { userId, context }: { readonly userId: string; readonly context: Readonly<Record<string, unknown>> },
): Promise<void> {
  const row = { id, user_id: userId, agent_id, session_id, status, runtime, model, created_at };
  await transaction
    .insertInto('runs')
    .values({ ...row, context: JSON.stringify(context) })
    .execute();
}

export async function findRun(db: Db, key: RowKey): Promise<Schemas['Run'] | undefined> {
  const row = await db.selectFrom('runs').select(runColumns).where(isRow(key)).executeTakeFirst();
  return row === undefined ? undefined : runFromRow(row);
}

/** Reads the run of a request. `sentence` explains that the run is missing, if the request does not have its id. */
export async function requireRun(db: Db, key: RowKey, sentence?: string): Promise<Schemas['Run']> {
  const run = isId(key.id) ? await findRun(db, key) : undefined;
  if (run === undefined) throw new Problem('Run not found', sentence);
  return run;
}

/** Who continues a run in each status: a worker, the user by decisions, or nobody. */
const continuedBy = {
  queued: 'worker',
  running: 'worker',
  requires_action: 'user',
  completed: 'nobody',
  incomplete: 'nobody',
  failed: 'nobody',
  cancelled: 'nobody',
} as const satisfies Record<Schemas['RunStatus'], 'worker' | 'user' | 'nobody'>;

/** A status in which a run has ended. */
export type FinalStatus = {
  [Status in keyof typeof continuedBy]: (typeof continuedBy)[Status] extends 'nobody' ? Status : never;
}[keyof typeof continuedBy];

/** SQL conditions on the status of a run. */
export const statusUnfinished = statusContinuedBy('worker', 'user');
export const statusInProgress = statusContinuedBy('worker');

/** The status is a literal, because a generic plan with parameters cannot use the partial index of unfinished runs. */
function statusContinuedBy(...who: readonly string[]): RawBuilder<boolean> {
  const statuses = Object.entries(continuedBy).filter(([, each]) => who.includes(each));
  return sql<boolean>`status in (${sql.join(statuses.map(([status]) => sql.lit(status)))})`;
}

/** Blocks other transactions that start runs of this user until this transaction ends. */
export async function lockNewRuns(transaction: Db, userId: string): Promise<void> {
  const key = lockKey('runs of a caller', userId);
  await sql`select pg_advisory_xact_lock(${key}::bigint)`.execute(transaction);
}

/** The runs of a session that are queued, in their order. */
export function findQueuedRuns(db: Db, { id, userId }: RowKey): Promise<RunJob[]> {
  return db
    .selectFrom('runs')
    .select(['id as runId', 'user_id as userId', 'session_id as sessionId', 'runtime'])
    .where('user_id', '=', userId)
    .where('session_id', '=', id)
    .where('status', '=', 'queued')
    .orderBy('seq')
    .execute();
}

const pageLength = 500;

/**
 * Yields pages of the runs in progress of all users, because there may be very many. Runs behind a run that waits for
 * decisions are left out; their jobs are restored when that run ends.
 */
export async function* findRunsInProgress(db: Db): AsyncGenerator<RunJob[]> {
  let after = { userId: '', runId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const page = await db
      .selectFrom('runs')
      .select(['id as runId', 'user_id as userId', 'session_id as sessionId', 'runtime'])
      .where(statusInProgress)
      .where(
        sql<boolean>`not exists (
          select from runs waiting
          where waiting.user_id = runs.user_id and waiting.session_id = runs.session_id
            and waiting.status = 'requires_action'
        )`,
      )
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

export async function hasRunsInProgress(db: Db, userId: string): Promise<boolean> {
  const query = db
    .selectFrom('runs')
    .select('id')
    .where('user_id', '=', userId)
    .where(statusInProgress)
    .limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

export function isFinished({ status }: Pick<Schemas['Run'], 'status'>): boolean {
  return continuedBy[status] === 'nobody';
}

/** Returns true if a worker continues the run without a decision of the user. */
export function isInProgress({ status }: Pick<Schemas['Run'], 'status'>): boolean {
  return continuedBy[status] === 'worker';
}

/** SQL: the milliseconds for which a run has been executed, by the database's clock, without waits for decisions. */
export const executionMs = sql<number>`
  (elapsed_ms + greatest(0, round(extract(epoch from now() - started_at) * 1000)))::float8`;

export type RunColumns = Pick<Selectable<RunRow>, (typeof runColumns)[number]>;

export function runFromRow({ input_tokens, output_tokens, ...run }: RunColumns): Schemas['Run'] {
  return { ...run, usage: usageOf(input_tokens, output_tokens) };
}

/** The usage of a run; null if the runtime reported none. */
export function usageOf(input: number | null, output: number | null): Schemas['Usage'] | null {
  return input === null || output === null ? null : { input_tokens: input, output_tokens: output };
}
