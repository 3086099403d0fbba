import { prepare } from '../db/prepare.ts';
import type { Db } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { fieldNames } from './task.ts';

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
