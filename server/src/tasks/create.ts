import { sql } from 'kysely';
import { prepare } from '../db/prepare.ts';
import type { Db, TaskRow } from '../db/tables.ts';
import { together } from '../db/together.ts';
import type { AuditStamp } from './audit-entry.ts';
import type { StoredTask, TaskKey } from './store.ts';
import { createPayload, fieldNames, type DerivedFields, type TaskFields } from './task.ts';

/** Rows as JSON, without the columns that the database fills. */
interface NewRows {
  readonly id: string;
  readonly task: string;
  readonly entry: string;
}

type Filled = Pick<TaskRow, 'id' | 'created_at' | 'updated_at'> & { readonly version: number };

/** Inserts a task and its audit entry. */
export async function insertTask(
  db: Db,
  { id, userId }: TaskKey,
  { due_at, tag_list, ...fields }: TaskFields & DerivedFields,
  { circumstances, entryId, actorType, actorId }: AuditStamp,
): Promise<StoredTask> {
  const key = { id, user_id: userId };
  const entry = {
    id: entryId,
    task_id: id,
    user_id: userId,
    action: 'create',
    actor_type: actorType,
    actor_id: actorId,
    payload: createPayload(fields, circumstances),
  };
  const { version, created_at, updated_at } = await insert(db, {
    id,
    task: JSON.stringify({ ...key, ...fields, due_at, tag_list }),
    entry: JSON.stringify(entry),
  });
  // The fields are texts, which the database keeps as they are.
  return { task: { ...key, ...fields, created_at, updated_at }, version };
}

const insert = together<NewRows, Filled>(
  async (db, rows) => {
    const tasks = jsonArray(rows.map(({ task }) => task));
    const entries = jsonArray(rows.map(({ entry }) => entry));
    const filled = new Map((await insertRows(db, { tasks, entries })).map((row) => [row.id, row]));
    return rows.flatMap(({ id }) => filled.get(id) ?? []);
  },
  // While one statement waits for the disk, the next is on its way.
  { runsMax: 2, sizeMax: 1_000_000, sizeOf: ({ task, entry }) => task.length + entry.length },
);

const given = [...fieldNames, 'due_at', 'tag_list', 'id', 'user_id'] as const;

const insertRows = prepare(['tasks', 'entries'], (db, { tasks, entries }) =>
  db
    .with('task', (db) =>
      db
        .insertInto('tasks')
        .columns([...given, 'created_at', 'updated_at'])
        .expression(
          db
            .selectFrom(sql<TaskRow>`json_populate_recordset(null::tasks, ${tasks})`.as('row'))
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

function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}
