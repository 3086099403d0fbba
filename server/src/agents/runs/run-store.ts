import { sql, type RawBuilder, type Selectable } from 'kysely';
import { lockKey } from '../../db/advisory-lock.ts';
import { columnList, isRow, type RowKey } from '../../db/rows.ts';
import { listByKeys, type List } from '../../db/list.ts';
import type { Db, RunRow, ToolCallDecisions } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem } from '../../contract/problem.ts';
import { isId } from '../../lib/ids.ts';
import type { Request, Schemas } from '../../contract/operation.ts';
import { schemaFields } from '../../contract/schema.ts';
import type { LoggedRun } from '../sessions/message-store.ts';

export const runColumns = [
  ...schemaFields('Run', 'usage', 'truncated'),
  ...(['input_tokens', 'output_tokens'] as const),
];

/** The columns whose values can be long. */
export const runTexts = ['output', 'error', 'required_action'] as const;

/** The fields of a run that has no result yet. */
export const withoutResult = {
  output: null,
  error: null,
  incomplete_details: null,
  required_action: null,
  usage: null,
  completed_at: null,
} as const satisfies Partial<Schemas['Run']>;

async function findRun(db: Db, key: RowKey): Promise<Schemas['Run'] | undefined> {
  const row = await db.selectFrom('runs').select(runColumns).where(isRow(key)).executeTakeFirst();
  return row === undefined ? undefined : runFromRow(row);
}

/** Reads a run again. A run without a row was cancelled and deleted with its session. */
export async function refreshRun(db: Db, run: Schemas['Run'], userId: string): Promise<Schemas['Run']> {
  const current = await findRun(db, { id: run.id, userId });
  return current ?? { ...run, status: 'cancelled', required_action: null, completed_at: timestamp() };
}

/** Reads the run of a request. `sentence` explains a missing run to a client that did not send the id of the run. */
export async function requireRun(db: Db, key: RowKey, sentence?: string): Promise<Schemas['Run']> {
  const run = isId(key.id) ? await findRun(db, key) : undefined;
  if (run === undefined) throw new Problem('Run not found', sentence);
  return run;
}

/** Who continues a run in each status: a worker, the user by decisions, or nobody. */
const continuedBy: Readonly<Record<Schemas['RunStatus'], 'worker' | 'user' | 'nobody'>> = {
  queued: 'worker',
  running: 'worker',
  requires_action: 'user',
  completed: 'nobody',
  incomplete: 'nobody',
  failed: 'nobody',
  cancelled: 'nobody',
};

/** SQL conditions on the status of a run. */
export const statusUnfinished = statusContinuedBy('worker', 'user');
export const statusInProgress = statusContinuedBy('worker');

/** The status is a literal, because a generic plan with parameters cannot use the partial index of unfinished runs. */
function statusContinuedBy(...who: readonly string[]): RawBuilder<boolean> {
  const statuses = Object.entries(continuedBy).filter(([, each]) => who.includes(each));
  return sql<boolean>`status in (${sql.join(statuses.map(([status]) => sql.lit(status)))})`;
}

const heldColumns = [
  ...(['status', 'runtime', 'context', 'request_id', 'seq', 'attempt', 'waited_after_attempt'] as const),
  ...(['required_action', 'asked_tools', 'waiting', 'begun_call_id'] as const),
];

/** A run that its worker or a transaction holds. */
export interface HeldRun extends LoggedRun, Pick<Selectable<RunRow>, (typeof heldColumns)[number]> {
  readonly decisions: ToolCallDecisions;
  /** How long the run was executed until it was read, by the database's clock. Waits for decisions do not count. */
  readonly executionMs: number;
}

export function selectHeld(now: RawBuilder<unknown> = sql`now()`): RawBuilder<unknown> {
  return sql`id, user_id as "userId", session_id as "sessionId", agent_id as "agentId",
    ${columnList(heldColumns)}, coalesce(decisions, '{}') as decisions,
    (elapsed_ms + greatest(0, round(extract(epoch from ${now} - started_at) * 1000)))::float8 as "executionMs"`;
}

/** Locks a run until the transaction ends, so that decisions, cancellations and writes of its worker do not overlap. */
export async function lockRun(transaction: Db, condition: RawBuilder<boolean>): Promise<HeldRun | undefined> {
  const { rows } = await sql<HeldRun>`
    select ${selectHeld()} from runs where ${condition} for update`.execute(transaction);
  return rows[0];
}

/** Blocks other transactions that start runs of this user until this transaction ends. */
export async function lockNewRuns(transaction: Db, userId: string): Promise<void> {
  const key = lockKey('runs of a caller', userId);
  await sql`select pg_advisory_xact_lock(${key}::bigint)`.execute(transaction);
}

export async function hasRunsInProgress(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from runs where user_id = ${userId} and ${statusInProgress} limit 1`.execute(db);
  return rows.length > 0;
}

export function isFinished({ status }: Pick<Schemas['Run'], 'status'>): boolean {
  return continuedBy[status] === 'nobody';
}

/** Returns true if a worker continues the run without a decision of the user. */
export function isInProgress({ status }: Pick<Schemas['Run'], 'status'>): boolean {
  return continuedBy[status] === 'worker';
}

export type RunColumns = Pick<Selectable<RunRow>, (typeof runColumns)[number]>;

export function runFromRow({ input_tokens, output_tokens, ...run }: RunColumns): Schemas['Run'] {
  return { ...run, usage: usageOf(input_tokens, output_tokens) };
}

/** The usage of a run; null if the runtime reported none. */
export function usageOf(input: number | null, output: number | null): Schemas['Usage'] | null {
  return input === null || output === null ? null : { input_tokens: input, output_tokens: output };
}

export function runsOf(
  userId: string,
  { agent_id: agentId = '', session_id: sessionId = '', status }: Request<'listRuns'>['query'],
): List<RunColumns> {
  // A malformed id becomes null, which equals no id.
  const withAgent = agentId === '' ? sql`` : sql` and agent_id = ${isId(agentId) ? agentId : null}`;
  const withSession = sessionId === '' ? sql`` : sql` and session_id = ${sessionId}`;
  // The status is a literal, because a generic plan with a parameter cannot use the partial index of unfinished runs.
  const withStatus = status === undefined ? sql`` : sql` and status = ${sql.lit(status)}`;
  return listByKeys({
    entries: sql`
      select ${columnList(runColumns)} from runs
      where user_id = ${userId}${withAgent}${withSession}${withStatus}`,
    columns: runColumns,
    texts: runTexts,
    // Ids of runs sort by creation time, so the primary key has the order of the list.
    keys: { id: 'id' },
    descending: true,
  });
}

type SessionRun = RunColumns & Pick<Selectable<RunRow>, 'seq'>;

/**
 * The runs of a session from `seq` on. If `seq` is null, they begin with the oldest unfinished run, or with the latest
 * run if all are finished. Empty if the session was deleted.
 */
export async function findRunsFrom(db: Db, session: RowKey, seq: string | null): Promise<SessionRun[]> {
  const ofSession = sql`user_id = ${session.userId} and session_id = ${session.id}`;
  const first = sql`
    select coalesce(min(seq) filter (where ${statusUnfinished}), max(seq)) from runs where ${ofSession}`;
  const { rows } = await sql<SessionRun>`
    select ${columnList(runColumns)}, seq::text from runs
    where ${ofSession} and seq >= coalesce(${seq}::bigint, (${first}))
    order by seq`.execute(db);
  return rows;
}

type RunAhead = Schemas['QueuedRun']['waits_for'];

/** Finds the run that a queued run waits for: the oldest unfinished run before it in the session. */
export async function findRunAhead(db: Db, run: RowKey, sessionId: string): Promise<RunAhead | undefined> {
  const { rows } = await sql<RunAhead>`
    select id as run_id, status from runs
    where user_id = ${run.userId} and session_id = ${sessionId} and ${statusUnfinished}
      and seq < (select seq from runs where ${isRow(run)})
    order by seq
    limit 1`.execute(db);
  return rows[0];
}
