import { sql } from 'kysely';
import { timestamp } from '../db/timestamps.ts';
import type { Principal } from '../contract/operation.ts';
import { insertEntry } from './audit-entry.ts';
import { countChange } from './count.ts';
import type { LoggedTask } from './find-task.ts';
import { changeTags } from './tag-index.ts';
import type { TaskChange } from './task-change.ts';

/** Deletes a task with its comments, and logs its last state. */
export function planDeletion({ task, next }: LoggedTask, caller: Principal): TaskChange {
  return {
    first: sql`delete from tasks where user_id = ${task.user_id} and id = ${task.id} returning id`,
    others: {
      ...changeTags(task),
      entry: insertEntry({ task, action: 'delete', payload: task, at: timestamp(), caller, next }),
    },
    counts: countChange(task),
  };
}
