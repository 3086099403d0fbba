import { sql } from 'kysely';
import { oneStatement } from '../db/one-statement.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import type { Principal } from '../operation.ts';
import { insertEntry } from './audit-entry.ts';
import { changeCounts, countChange, withoutEmptyCounter } from './count.ts';
import type { LoggedTask } from './find-task.ts';
import { changeTags } from './tag-index.ts';

/** The write that deletes a task with its comments, and logs its last state. */
export function planDeletion({ task, next }: LoggedTask, caller: Principal): Write {
  const write = oneStatement({
    task: sql`delete from tasks where user_id = ${task.user_id} and id = ${task.id} returning id`,
    counts: changeCounts(countChange(task)),
    ...changeTags(task),
    entry: insertEntry({ task, action: 'delete', payload: task, at: timestamp(), caller, next }),
  });
  return withoutEmptyCounter(write, task);
}
