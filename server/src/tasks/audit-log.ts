import { sql, type Insertable, type RawBuilder } from 'kysely';
import { listByKeys, readList, readPage } from '../db/list.ts';
import { insertRows } from '../db/rows.ts';
import type { Db, Tables, TaskRow } from '../db/tables.ts';
import { newId } from '../lib/ids.ts';
import type { Caller, Handler, Schemas } from '../contract/operation.ts';
import { schemaFields } from '../contract/schema.ts';
import { parseTaskKey, throwMissing } from './find-task.ts';

export interface NewEntry {
  /** The task after the change, or before its deletion. */
  readonly task: Pick<TaskRow, 'id' | 'user_id' | 'workspace_id' | 'etag'>;
  /** The task before the change, if the change may move it to another workspace. */
  readonly before?: Pick<TaskRow, 'workspace_id'>;
  readonly action: Schemas['AuditLogEntry']['action'];
  readonly payload: object;
  readonly at: string;
  readonly caller: Caller;
  /**
   * The number of the entry in the log of the task; undefined for the first entry. It is part of the log's primary key,
   * so only one of two writers that have read the same state succeeds. Therefore every entry was planned from a state
   * that includes all earlier entries.
   */
  readonly seq?: string | number;
}

/** The columns of an entry except `seq` and `recorded_us`, for which the database may compute the values. */
export const entryColumns = [
  ...schemaFields('AuditLogEntry'),
  ...(['user_id', 'workspace_id', 'left_workspace_id', 'etag'] as const),
];

export function entryRow(
  entry: NewEntry,
): Pick<Insertable<Tables['audit_logs']>, (typeof entryColumns)[number]> {
  const { task, before = task, action, payload, at, caller } = entry;
  return {
    id: newId(),
    task_id: task.id,
    user_id: task.user_id,
    action,
    actor_type: caller.agent === undefined ? 'human' : 'agent',
    actor_id: (caller.agent ?? caller).id,
    payload: JSON.stringify({ ...payload, ...detailsOf(caller) }),
    created_at: at,
    workspace_id: task.workspace_id,
    left_workspace_id: before.workspace_id === task.workspace_id ? null : before.workspace_id,
    etag: action === 'delete' ? null : task.etag,
  };
}

/** Fields that the payload also has if an agent or an MCP client made the change for the user. */
function detailsOf({ id, agent, mcpClient }: Caller): object | undefined {
  if (agent === undefined) return mcpClient && { via: 'mcp', client: mcpClient.name };
  return {
    on_behalf_of: id,
    session_id: agent.sessionId,
    approved_by: agent.approvedBy,
    arguments_edited: agent.argumentsEdited === true || undefined,
  };
}

/**
 * The time of an entry, in microseconds since 1970. It is read after the first statement of a write has locked or
 * inserted the task: the transaction then has an id, so `findWatermark` counts it as in progress.
 */
export const recordedUs = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** Appends an entry to the log of a task. */
export function insertEntry(entry: NewEntry): RawBuilder<unknown> {
  const seq = sql`${entry.seq ?? sql`default`}`;
  return insertRows('audit_logs', [{ ...entryRow(entry), seq, recorded_us: sql.raw(recordedUs) }]);
}

// Rows have this type, because only this server inserts them. A bigint is text in one engine and a number in the other.
type Entry = Schemas['AuditLogEntry'] & { readonly seq: string | number };

/** Lists the audit log of a task that belongs or belonged to the user, oldest entry first. */
export const listAuditLogs: Handler<'listAuditLogs', { db: Db }> = async (request, { db }) => {
  const key = parseTaskKey(request);
  const log = listByKeys<Entry>({
    entries: sql`select * from audit_logs where user_id = ${key.userId} and task_id = ${key.id}`,
    columns: [...schemaFields('AuditLogEntry'), 'seq'],
    texts: ['payload'],
    keys: { seq: 'bigint' },
  });
  const list = { path: `/api/tasks/${key.id}/audit-logs`, userId: key.userId, query: request.query };
  const { entries, headers } = await readList(db, log, list);
  // The log of a task has at least one entry. A page may be empty because it begins after the last entry.
  const isEmpty = async () => (await readPage(db, log, { limit: 1, offset: 0 })).entries.length === 0;
  if (entries.length === 0 && (await isEmpty())) await throwMissing(db, key);
  return { status: 200, headers, body: entries.map(({ seq, ...entry }) => entry) };
};

/**
 * Deletes the logs of at most `max` tasks that were deleted more than `maxAgeMs` ago. Resolves to their number. Each
 * deletion's entry stays, without the task's state, because readers of changes who are behind still need it.
 */
export async function deleteOldLogs(db: Db, maxAgeMs: number, max: number): Promise<number> {
  const { rows } = await sql<{ user_id: string; ids: string[] }>`
    select user_id, array_agg(task_id) as ids from (
      select user_id, task_id from audit_logs
      where action = 'delete' and payload <> '{}'
        and recorded_us < (extract(epoch from now() - ${maxAgeMs} * interval '1 ms') * 1000000)::bigint
      limit ${max}
    ) old group by user_id`.execute(db);
  for (const { user_id: userId, ids } of rows) {
    const ofTasks = sql`user_id = ${userId} and task_id = any(${ids}::uuid[])`;
    await sql`
      with deleted as (delete from audit_logs where ${ofTasks} and action <> 'delete')
      update audit_logs set payload = '{}' where ${ofTasks} and action = 'delete'`.execute(db);
  }
  return rows.reduce((sum, { ids }) => sum + ids.length, 0);
}
