import { readRows, type ReadTarget } from '../db/read.ts';
import type { Schemas } from '../operation.ts';
import { fieldNames } from './task.ts';

/** A task as it goes on the wire, and the version that its ETag names. */
export interface StoredTask {
  readonly task: Schemas['Task'];
  readonly version: number;
}

/** A task and its owner: a task is never returned by its id alone. */
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

/** The columns whose values can be long. */
export const longColumns = ['description', 'metadata'] as const satisfies readonly (keyof Schemas['Task'])[];

/** A row of the wire columns and the version. */
export type TaskColumns = Schemas['Task'] & { version: number };

/** The task, if it exists and belongs to the user. */
export async function findTask(target: ReadTarget, { id, userId }: TaskKey): Promise<StoredTask | undefined> {
  const [row] = await readRows<TaskColumns>(target, taskById, [id, userId]);
  return row === undefined ? undefined : storedTask(row);
}

const taskById = `select ${taskColumns.join(', ')}, version from tasks where id = $1 and user_id = $2`;

/** The owner of a task, which explains why a user cannot reach it. */
export async function findOwner(target: ReadTarget, id: string): Promise<string | undefined> {
  const [row] = await readRows<{ user_id: string }>(target, ownerById, [id]);
  return row?.user_id;
}

const ownerById = 'select user_id from tasks where id = $1';

export function storedTask({ version, ...task }: TaskColumns): StoredTask {
  return { task, version };
}
