import type { RowKey } from '../db/row-key.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Principal } from '../operation.ts';
import { findLoggedTask, findOwner, type LoggedTask } from './find-task.ts';

/** The key of the task in a path. A malformed id throws `Task not found` without a query. */
export function parseTaskKey(id: string, caller: Principal): RowKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Reads the caller's task before a change is planned. */
export async function getLoggedTask(db: Db, key: RowKey): Promise<LoggedTask> {
  return (await findLoggedTask(db, key)) ?? throwNotFoundOrForbidden(db, key);
}

/** Throws if the task does not exist or belongs to another user. */
export async function requireTask(db: Db, { id, userId }: RowKey): Promise<void> {
  const owner = await findOwner(db, id);
  if (owner === userId) return;
  throw new Problem(owner === undefined ? 'Task not found' : 'Access denied');
}

/**
 * Throws the reason why a statement did not find the caller's task. If the task has been created since, it still counts
 * as not found.
 */
export async function throwNotFoundOrForbidden(db: Db, key: RowKey): Promise<never> {
  await requireTask(db, key);
  throw new Problem('Task not found');
}
