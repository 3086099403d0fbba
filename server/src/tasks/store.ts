import { sql, type RawBuilder } from 'kysely';
import { prepare } from '../db/prepare.ts';
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

/** Those of them that can be long. */
export const longTexts = ['description', 'metadata'] as const satisfies readonly (keyof Schemas['Task'])[];

type TaskColumns = Schemas['Task'] & { version: number };

/** Inserts a task and its audit entry. */
export async function insertTask(
  db: Db,
  { id, userId }: TaskKey,
  fields: TaskFields & DerivedFields,
  { circumstances, ...stamp }: AuditStamp,
): Promise<StoredTask> {
  const payload = createPayload(fields, circumstances);
  const [row] = await insert(db, { ...fields, ...stamp, id, userId, payload });
  if (row === undefined) throw new Error('An insert returned no row.');
  return storedTask(row);
}

const insert = prepare(
  [...fieldNames, 'due_at', 'tag_list', 'id', 'userId', 'payload', 'entryId', 'actorType', 'actorId'],
  (db, { id, userId, payload, entryId, actorType, actorId, tag_list, ...fields }) =>
    db
      .with('task', (db) =>
        db
          .insertInto('tasks')
          .values({
            ...fields,
            id,
            user_id: userId,
            tag_list: sql`${tag_list}`,
            created_at: sql`now()`,
            updated_at: sql`now()`,
          })
          .returning([...taskColumns, 'version']),
      )
      .with('entry', () => sql`(${creation(payload, { entryId, actorType, actorId })})`)
      .selectFrom('task')
      .selectAll(),
);

function creation(
  payload: string,
  stamp: { entryId: string; actorType: string; actorId: string },
): RawBuilder<unknown> {
  return auditEntry({ of: 'task', action: 'create', payload: sql`${payload}`, at: sql`created_at`, stamp });
}

/** The task, if it is there and belongs to the user. */
export async function findTask(db: Db, key: TaskKey): Promise<StoredTask | undefined> {
  const [row] = await find(db, { ...key });
  return row === undefined ? undefined : storedTask(row);
}

const find = prepare(
  ['id', 'userId'],
  (db, { id, userId }) =>
    db
      .selectFrom('tasks')
      .select([...taskColumns, 'version'])
      .where('id', '=', id)
      .where('user_id', '=', userId),
  { isPipelined: true },
);

/** Whose task this is, to tell why a user cannot reach it. */
export async function findOwner(db: Db, id: string): Promise<string | undefined> {
  const [row] = await owner(db, { id });
  return row?.user_id;
}

const owner = prepare(['id'], (db, { id }) => db.selectFrom('tasks').select('user_id').where('id', '=', id), {
  isPipelined: true,
});

export function storedTask({ version, ...task }: TaskColumns): StoredTask {
  return { task, version };
}
