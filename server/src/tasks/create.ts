import { CompiledQuery } from 'kysely';
import type { Db, TaskRow } from '../db/tables.ts';
import { batch } from '../db/batch.ts';
import type { AuditContext } from './audit-entry.ts';
import type { StoredTask, TaskKey } from './find-task.ts';
import { createPayload, writtenColumns, type DerivedFields, type TaskFields } from './task.ts';

/** A new task, without the columns that the database fills, and its audit context. */
interface NewTask {
  readonly task: Pick<TaskRow, 'id' | 'user_id'> & TaskFields & DerivedFields;
  readonly auditContext: AuditContext;
}

/** The columns of a new task that the database fills. */
type DatabaseColumns = Pick<TaskRow, 'created_at' | 'updated_at'> & { readonly version: number };

/** Inserts a task and its audit entry. Triggers update the counters of exact totals (migration 005). */
export async function insertTask(
  db: Db,
  { id, userId }: TaskKey,
  fields: TaskFields & DerivedFields,
  auditContext: AuditContext,
): Promise<StoredTask> {
  const task = { id, user_id: userId, ...fields };
  const { version, created_at, updated_at } = await insert(db, { task, auditContext });
  // All fields are text by now, which the database stores unchanged, so they are not read back.
  const { due_at, tag_list, ...fieldsOnWire } = task;
  return { task: { ...fieldsOnWire, created_at, updated_at }, version };
}

// Two batches at a time: while Postgres writes one to disk, the other is sent.
const insert = batch<NewTask, DatabaseColumns>(insertAll, {
  runsMax: 2,
  countsForMs: 100,
  sizeMax: 500_000,
  sizeOf: ({ task }) => 1000 + (task.description?.length ?? 0) + (task.metadata?.length ?? 0),
});

async function insertAll(db: Db, rows: readonly NewTask[]): Promise<DatabaseColumns[]> {
  const tasks = JSON.stringify(rows.map(({ task }) => task));
  const entries = JSON.stringify(rows.map(entryOf));
  const isBatch = rows.length > 1;
  const query = CompiledQuery.raw(insertStatement, [isBatch, tasks, entries]);
  const { rows: inserted } = await db.executeQuery<DatabaseColumns & { id: string }>(query);
  const byId = new Map(inserted.map((row) => [row.id, row]));
  return rows.flatMap(({ task }) => byId.get(task.id) ?? []);
}

function entryOf({ task, auditContext }: NewTask): object {
  return {
    id: auditContext.entryId,
    task_id: task.id,
    user_id: task.user_id,
    action: 'create',
    actor_type: auditContext.actorType,
    actor_id: auditContext.actorId,
    payload: createPayload(task, auditContext.details),
  };
}

const insertedColumns = [...writtenColumns, 'id', 'user_id'];

// Rows lock the counters of their user. A batch must not wait long for the lock of one of its users, so it gives up after
// 50 ms, and each row is inserted again on its own.
const insertStatement = `
  with lock_limit as (
    select case when $1::boolean then set_config('lock_timeout', '50ms', true) end
  ),
  task as (
    insert into tasks (${insertedColumns.join(', ')}, created_at, updated_at)
    select ${insertedColumns.map((name) => `row.${name}`).join(', ')}, now(), now()
    from lock_limit, json_populate_recordset(null::tasks, $2) as row
    returning id, version, created_at, updated_at
  ),
  entry as (
    insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
    select id, task_id, user_id, action, actor_type, actor_id, payload, now()
    from json_populate_recordset(null::audit_logs, $3)
  )
  select * from task`;
