import type { Statement, WriteTarget } from '../db/write.ts';
import { storedTask, taskColumns, type StoredTask, type TaskColumns, type TaskKey } from './find-task.ts';

interface Plan<Result> {
  readonly result: Result;
  readonly statements: readonly Statement[];
}

/**
 * Locks the user's task, and runs the statements that are planned for it in the same transaction: concurrent changes of a
 * task wait for each other and lose nothing. Resolves to `stale` if the task has none of the versions that may be
 * changed, where undefined stands for any, and to undefined if the user has no such task.
 */
export async function withLockedTask<Result>(
  { transact }: WriteTarget,
  { id, userId }: TaskKey,
  versions: readonly number[] | undefined,
  plan: (locked: StoredTask) => Plan<Result>,
): Promise<Result | 'stale' | undefined> {
  let outcome: Result | 'stale' | undefined;
  await transact<TaskColumns>([{ text: lockById, values: [userId, id] }], ([rows]) => {
    const row = rows?.[0];
    if (row === undefined) return [];
    const locked = storedTask(row);
    if (versions?.includes(locked.version) === false) {
      outcome = 'stale';
      return [];
    }
    const { result, statements } = plan(locked);
    outcome = result;
    return statements;
  });
  return outcome;
}

const lockById = `
  select ${taskColumns.join(', ')}, version from tasks where user_id = $1 and id = $2 for update`;
