import { sql } from 'kysely';
import { prepare } from '../db/prepare.ts';
import type { Db, TaskRow } from '../db/tables.ts';
import { batch } from '../db/batch.ts';
import type { AuditContext } from './audit-entry.ts';
import type { StoredTask, TaskKey } from './find-task.ts';
import { createPayload, writtenColumns, type DerivedFields, type TaskFields } from './task.ts';

/** The rows of a new task, without the columns that the database fills. */
interface NewRows {
  readonly task: Pick<TaskRow, 'id' | 'user_id'> & TaskFields & DerivedFields;
  readonly stamp: AuditContext;
}

type Filled = Pick<TaskRow, 'created_at' | 'updated_at'> & { readonly version: number };

/** Inserts a task and its audit entry. */
export async function insertTask(
  db: Db,
  { id, userId }: TaskKey,
  fields: TaskFields & DerivedFields,
  stamp: AuditContext,
): Promise<StoredTask> {
  const task = { id, user_id: userId, ...fields };
  const { version, created_at, updated_at } = await insert(db, { task, stamp });
  // The fields are texts, which the database keeps as they are.
  const { due_at, tag_list, ...shown } = task;
  return { task: { ...shown, created_at, updated_at }, version };
}

// While one statement waits for the disk, the next is on its way.
const insert = batch<NewRows, Filled>(insertAll, {
  runsMax: 2,
  countsForMs: 100,
  sizeMax: 500_000,
  sizeOf: ({ task }) => 1000 + (task.description?.length ?? 0) + (task.metadata?.length ?? 0),
});

async function insertAll(db: Db, rows: readonly NewRows[]): Promise<Filled[]> {
  const tasks = JSON.stringify(rows.map(({ task }) => task));
  const entries = JSON.stringify(rows.map(entryOf));
  const filled = await insertRows(db, { tasks, entries, isShared: rows.length > 1 });
  const byId = new Map(filled.map((row) => [row.id, row]));
  return rows.flatMap(({ task }) => byId.get(task.id) ?? []);
}

function entryOf({ task, stamp }: NewRows): object {
  return {
    id: stamp.entryId,
    task_id: task.id,
    user_id: task.user_id,
    action: 'create',
    actor_type: stamp.actorType,
    actor_id: stamp.actorId,
    payload: createPayload(task, stamp.details),
  };
}

const given = [...writtenColumns, 'id', 'user_id'] as const;

const insertRows = prepare(['tasks', 'entries', 'isShared'], (db, { tasks, entries, isShared }) =>
  db
    // Who shares a statement must not wait long for what another one's row needs; alone each may.
    .with(
      'patience',
      () => sql<{ limit: string | null }>`(
        select case when ${isShared}::boolean then set_config('lock_timeout', '50ms', true) end as limit)`,
    )
    .with('task', (db) =>
      db
        .insertInto('tasks')
        .columns([...given, 'created_at', 'updated_at'])
        .expression(
          db
            .selectFrom(['patience', sql<TaskRow>`json_populate_recordset(null::tasks, ${tasks})`.as('row')])
            .select([...given, sql<string>`now()`.as('created_at'), sql<string>`now()`.as('updated_at')]),
        )
        .returning(['id', 'version', 'created_at', 'updated_at']),
    )
    .with(
      'entry',
      () => sql`(
        insert into audit_logs (id, task_id, user_id, action, actor_type, actor_id, payload, created_at)
        select id, task_id, user_id, action, actor_type, actor_id, payload, now()
        from json_populate_recordset(null::audit_logs, ${entries}))`,
    )
    .selectFrom('task')
    .selectAll(),
);
