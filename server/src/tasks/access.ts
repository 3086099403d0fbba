import type { ReadTarget } from '../db/read.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { findOwner, type TaskKey } from './find-task.ts';

/** The key of the task that a path names. A malformed id is `Task not found`, which needs no query. */
export function parseTaskKey(id: string, caller: Principal): TaskKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Throws when the caller cannot reach the task: it belongs to another user, or does not exist. */
export async function requireTask(target: ReadTarget, { id, userId }: TaskKey): Promise<void> {
  const owner = await findOwner(target, id);
  if (owner === userId) return;
  throw new Problem(owner === undefined ? 'Task not found' : 'Access denied');
}

/** Throws the reason why a statement did not find the caller's task. A task that was created since counts as not found. */
export async function throwNotFoundOrForbidden(target: ReadTarget, key: TaskKey): Promise<never> {
  await requireTask(target, key);
  throw new Problem('Task not found');
}
