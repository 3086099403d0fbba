import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operations.ts';
import { auditEntry, type AuditStamp } from './audit-entry.ts';
import { createPayload, fieldNames, type DerivedFields, type TaskFields } from './task.ts';

/** A task as it goes on the wire, and the version that its ETag names. */
export interface StoredTask {
  readonly task: Schemas['Task'];
  readonly version: number;
}

/** Which task, and for whom: nobody reaches a task by its id alone. */
export interface TaskKey {
  readonly id: string;
  readonly userId: string;
}

export const taskColumns = [
  'id',
  'user_id',
  ...fieldNames,
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Schemas['Task'])[];

type TaskColumns = Schemas['Task'] & { version: number };

/** Inserts a task and its audit entry. */
export async function insertTask(
  db: Db,
  { id, userId }: TaskKey,
  fields: TaskFields & DerivedFields,
  stamp: AuditStamp,
): Promise<StoredTask> {
  const payload = sql`${createPayload(fields)}`;
  const entry = auditEntry({ of: 'task', action: 'create', payload, at: sql`created_at`, stamp });
  const row = await db
    .with('task', (db) =>
      db
        .insertInto('tasks')
        .values({ ...fields, id, user_id: userId, created_at: sql`now()`, updated_at: sql`now()` })
        .returning([...taskColumns, 'version']),
    )
    .with('entry', () => sql`(${entry})`)
    .selectFrom('task')
    .selectAll()
    .executeTakeFirstOrThrow();
  return storedTask(row);
}

/** The task, if it is there and belongs to the user. */
export async function findTask(db: Db, { id, userId }: TaskKey): Promise<StoredTask | undefined> {
  const row = await db
    .selectFrom('tasks')
    .select([...taskColumns, 'version'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? undefined : storedTask(row);
}

/** Whose task this is, to tell why a user cannot reach it. */
export async function findOwner(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('tasks').select('user_id').where('id', '=', id).executeTakeFirst();
  return row?.user_id;
}

export function storedTask({ version, ...task }: TaskColumns): StoredTask {
  return { task, version };
}
