import { sql } from 'kysely';
import { listPage, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import { assert } from '../db/assert.ts';
import type { Write } from '../db/write.ts';
import { newId } from '../ids.ts';
import type { Principal, Schemas } from '../operation.ts';
import type { Page, PageRequest } from '../paging.ts';
import { auditContextOf, insertEntry } from './audit-entry.ts';
import type { TaskKey } from './find-task.ts';

type Comment = Schemas['Comment'];

interface CommentPlan {
  readonly comment: Comment;
  readonly write: Write;
}

/** A new comment, and the write that inserts it with its audit entry. `refuse` is called if the user has no such task. */
export function planComment(
  task: TaskKey,
  caller: Principal,
  { body, refuse }: { readonly body: string; readonly refuse: () => Promise<never> },
): CommentPlan {
  const at = timestamp();
  const author = caller.agent ?? caller;
  const authorship = { author_id: author.id, author_name: author.name, created_at: at };
  const comment = { id: newId(), task_id: task.id, body, ...authorship };
  const entry = insertEntry({
    task: { id: task.id, user_id: task.userId },
    action: 'comment',
    payload: { id: comment.id, body },
    at,
    auditContext: auditContextOf(caller),
  });
  const write = {
    statements: [{ text: lockTask, values: [task.id, task.userId], refuse }, entry],
    rows: { comments: [{ ...comment, user_id: task.userId }] },
  };
  return { comment, write };
}

// The lock keeps the task from being deleted before the insert, and gives the audit entries of a task their order.
const lockTask = `
  select ${assert('count(*) = 1')} from (
    select from tasks where id = $1 and user_id = $2 for no key update
  ) task`;

export const commentPosition = ['timestamp', 'id'] as const;

/** A page of a task's comments, oldest first. */
export async function findComments(db: Db, task: TaskKey, page: PageRequest): Promise<Page<Comment>> {
  const list = {
    entries: sql`select * from comments where task_id = ${task.id} and user_id = ${task.userId}`,
    columns: ['id', 'task_id', 'body', 'author_id', 'author_name', 'created_at'],
    texts: ['body'],
    keys: ['created_at', 'id'],
  };
  const query = sql<Comment & { found: number }>`${listPage(list, page)}`;
  return readPage(db, query, page, ({ created_at: at, id }) => [at, id]);
}
