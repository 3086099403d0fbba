import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { findOwner, type TaskKey } from './find-task.ts';

/** The task that a path names, for its caller. A malformed id is unknown without asking the database. */
export function parseTaskKey(id: string, caller: Principal): TaskKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Tells a caller who cannot reach the task why: it belongs to somebody else, or there is none. */
export async function requireTask(db: Db, { id, userId }: TaskKey): Promise<void> {
  const owner = await findOwner(db, id);
  if (owner === userId) return;
  throw new Problem(owner === undefined ? 'Task not found' : 'Access denied');
}

/** The same for a caller for whom the task was not there a moment ago. */
export async function throwNotFoundOrForbidden(db: Db, key: TaskKey): Promise<never> {
  await requireTask(db, key);
  throw new Problem('Task not found');
}
