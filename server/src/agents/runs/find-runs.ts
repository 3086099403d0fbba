import { sql } from 'kysely';
import { listByKeys, type List } from '../../db/list.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import { isId } from '../../lib/ids.ts';
import type { Request, Schemas } from '../../contract/operation.ts';
import { runColumns, runTexts, statusUnfinished, type RunColumns } from './run-store.ts';

/** The user's runs, newest first. */
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
      select ${sql.join(runColumns.map((name) => sql.ref(name)))} from runs
      where user_id = ${userId}${withAgent}${withSession}${withStatus}`,
    columns: runColumns,
    texts: runTexts,
    // Ids of runs sort by creation time, so the primary key has the order of the list.
    keys: { id: 'id' },
    descending: true,
  });
}

/**
 * The runs of a session that may have changed since they were read: the runs with the given ids, the unfinished runs,
 * and the runs from `seq` on, or the latest run if `seq` is null. Empty if the session was deleted.
 */
export async function findRunsSince(
  db: Db,
  session: RowKey,
  seq: string | null,
  runIds: readonly string[],
): Promise<(RunColumns & { readonly seq: string })[]> {
  const ofSession = sql`user_id = ${session.userId} and session_id = ${session.id}`;
  const columns = sql.join(runColumns.map((name) => sql.ref(name)));
  const { rows } = await sql<RunColumns & { seq: string }>`
    select ${columns}, seq::text from runs
    where ${ofSession} and (${statusUnfinished} or id = any(${runIds}::uuid[])
      or seq >= coalesce(${seq}::bigint, (select max(seq) from runs where ${ofSession})))
    order by seq`.execute(db);
  return rows;
}

type QueuedEvent = Extract<Schemas['RunEvent'], { event: 'run.queued' }>;
type RunAhead = QueuedEvent['data']['waits_for'];

/** Finds the run that a queued run waits for: the oldest unfinished run before it in the session. */
export async function findRunAhead(
  db: Db,
  { id, userId }: RowKey,
  sessionId: string,
): Promise<RunAhead | undefined> {
  const { rows } = await sql<RunAhead>`
    select id as run_id, status from runs
    where user_id = ${userId} and session_id = ${sessionId} and ${statusUnfinished}
      and seq < (select seq from runs where user_id = ${userId} and id = ${id})
    order by seq
    limit 1`.execute(db);
  return rows[0];
}
