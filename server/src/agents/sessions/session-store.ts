import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/rows.ts';
import type { Db, ToolIdentities } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem, validationError } from '../../contract/problem.ts';
import type { Schemas } from '../../contract/operation.ts';
import { lockNewRuns, statusUnfinished } from '../runs/run-store.ts';
import { requireSession } from './find-sessions.ts';

/** Creates the session unless it exists. Throws if the session belongs to another agent. */
export async function openSession(transaction: Db, { id, userId }: RowKey, agentId: string): Promise<void> {
  const at = timestamp();
  const { rows } = await sql<{ agent_id: string }>`
    insert into sessions (id, user_id, agent_id, message_count, created_at, updated_at)
    values (${id}, ${userId}, ${agentId}, 0, ${at}, ${at})
    on conflict (user_id, id) do update set agent_id = sessions.agent_id
    returning agent_id`.execute(transaction);
  if (rows[0]?.agent_id === agentId) return;
  const detail = 'must not name a session of another agent';
  throw validationError([{ pointer: '/context/session_id', code: 'conflicting', detail }]);
}

/**
 * Changes a session and resolves to it. An empty value clears a field.
 * `updated_at` stays the time of the latest message. The session is read before the commit, because a failing read after
 * the commit would report a change as failed.
 */
export async function changeSession(
  db: Db,
  session: RowKey,
  { title, metadata, approved_tools: names }: Schemas['SessionUpdate'],
): Promise<Schemas['Session']> {
  return db.transaction().execute(async (transaction) => {
    const fields = {
      ...(title !== undefined && { title: title?.trim() || null }),
      ...(metadata !== undefined && { metadata: metadata || null }),
      // Names without an approval are ignored, because only a decision approves a tool.
      ...(names !== undefined && {
        approved_tools: sql<string>`(
          select coalesce(jsonb_object_agg(key, value), '{}')
          from jsonb_each(approved_tools) where key = any(${names}::text[]))`,
      }),
    };
    if (Object.keys(fields).length > 0)
      await transaction.updateTable('sessions').set(fields).where(isRow(session)).execute();
    return requireSession(transaction, session);
  });
}

/** The tools that the user has approved for the rest of a session; none if the session was deleted. */
export async function findApprovedTools(db: Db, key: RowKey): Promise<ToolIdentities> {
  const { rows } = await sql<{ approved_tools: ToolIdentities }>`
    select approved_tools from sessions where ${isRow(key)}`.execute(db);
  return rows[0]?.approved_tools ?? {};
}

export async function approveTools(transaction: Db, key: RowKey, tools: ToolIdentities): Promise<void> {
  await sql`
    update sessions set approved_tools = approved_tools || ${JSON.stringify(tools)}::jsonb
    where ${isRow(key)}`.execute(transaction);
}

/**
 * Deletes a session with its messages and runs. Resolves to the ids of its unfinished runs. Workers cannot write to the
 * session afterwards, because each write locks its run, which no longer exists.
 */
export async function removeSession(db: Db, { id, userId }: RowKey): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    await lockNewRuns(transaction, userId);
    // Lock the run before the session, as workers do: another order could deadlock.
    const { rows: unfinished } = await sql<{ id: string }>`
      select id from runs
      where user_id = ${userId} and session_id = ${id} and ${statusUnfinished}
      order by seq
      for update`.execute(transaction);
    const deleted = await sql`delete from sessions where ${isRow({ id, userId })}`.execute(transaction);
    if (deleted.numAffectedRows === 0n) throw new Problem('Session not found');
    await sql`delete from session_turns where user_id = ${userId} and session_id = ${id}`.execute(
      transaction,
    );
    return unfinished.map(({ id: runId }) => runId);
  });
}

/** Deletes sessions without activity for `maxAgeMs`, with their messages and runs, unless a run is unfinished. */
export async function deleteOldSessions(db: Db, maxAgeMs: number, max: number): Promise<number> {
  const isOld = sql`updated_at < now() - ${maxAgeMs} * interval '1 ms'`;
  // Check the locked row for `isOld` too, because a new run may have changed it since the subquery.
  const { numAffectedRows } = await sql`
    delete from sessions where ${isOld} and (user_id, id) in (
      select user_id, id from sessions where ${isOld} and not exists (
        select from runs where runs.user_id = sessions.user_id and session_id = sessions.id and ${statusUnfinished})
      limit ${Math.ceil(max / sessionRowsUsual)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

// The usual number of rows that are deleted with a session.
const sessionRowsUsual = 50;
