import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Principal } from '../operations.ts';
import { findOwner, type TaskKey } from './store.ts';

/** The task that a path names, for its caller. A malformed id is unknown without asking the database. */
export function keyOf(id: string, caller: Principal): TaskKey {
  if (!isId(id)) throw new Problem('Task not found');
  return { id: id.toLowerCase(), userId: caller.id };
}

/** Tells a caller for whom no task was found why: it belongs to somebody else, or there is none. */
export async function refuse(db: Db, { id, userId }: TaskKey): Promise<never> {
  const owner = await findOwner(db, id);
  throw new Problem(owner === undefined || owner === userId ? 'Task not found' : 'Access denied');
}
