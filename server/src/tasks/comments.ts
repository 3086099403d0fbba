import { sql } from 'kysely';
import { insertRows } from '../db/insert.ts';
import { oneStatement } from '../db/one-statement.ts';
import { listPage, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { newId } from '../ids.ts';
import type { Principal, Schemas } from '../operation.ts';
import type { Page, PageRequest } from '../paging.ts';
import { insertEntry } from './audit-entry.ts';
import type { LoggedTask, TaskKey } from './find-task.ts';

type Comment = Schemas['Comment'];

interface CommentPlan {
  readonly comment: Comment;
  readonly write: Write;
}

/** A new comment, and the write that inserts it with its audit entry. */
export function planComment({ task, next }: LoggedTask, caller: Principal, body: string): CommentPlan {
  const at = timestamp();
  const author = caller.agent ?? caller;
  const authorship = { author_id: author.id, author_name: author.name, created_at: at };
  const comment = { id: newId(), task_id: task.id, body, ...authorship };
  const payload = { id: comment.id, body };
  const write = oneStatement({
    // A deletion and a comment would otherwise deadlock: each would wait for a row of the other.
    task: sql`
      select id from tasks where user_id = ${task.user_id} and id = ${task.id} for no key update`,
    entry: insertEntry({ task, action: 'comment', payload, at, caller, next }),
    comment: insertRows('comments', [{ ...comment, user_id: task.user_id }]),
  });
  return { comment, write };
}

export const commentPosition = ['timestamp', 'id'] as const;

/** A page of a task's comments, oldest first. */
export async function findComments(db: Db, task: TaskKey, page: PageRequest): Promise<Page<Comment>> {
  const list = {
    entries: sql`select * from comments where task_id = ${task.id} and user_id = ${task.userId}`,
    columns: ['id', 'task_id', 'body', 'author_id', 'author_name', 'created_at'],
    texts: ['body'],
    keys: ['created_at', 'id'],
  };
  return readPage<Comment>(db, listPage(list, page), page, ({ created_at: at, id }) => [at, id]);
}
