import { sql, type RawBuilder } from 'kysely';
import { insertRows } from '../db/insert.ts';
import { listByKeys, type List } from '../db/list.ts';
import { oneStatement } from '../db/one-statement.ts';
import type { RowKey } from '../db/row-key.ts';
import type { Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import type { Write } from '../db/write.ts';
import { Problem } from '../contract/problem.ts';
import { isId, newId } from '../lib/ids.ts';
import type { Principal, Schemas } from '../contract/operation.ts';
import { insertEntry } from './audit-entry.ts';
import type { LoggedTask } from './find-task.ts';

type Comment = Schemas['Comment'];

const columns = ['id', 'task_id', 'body', 'author_id', 'author_name', 'created_at', 'updated_at'] as const;

interface CommentPlan {
  readonly comment: Comment;
  readonly write: Write;
}

/** A new comment, and the write that inserts it and its audit entry. */
export function planComment({ task, next }: LoggedTask, caller: Principal, body: string): CommentPlan {
  const at = timestamp();
  const author = caller.agent ?? caller;
  const authorship = { author_id: author.id, author_name: author.name, created_at: at };
  const comment = { id: newId(), task_id: task.id, body, ...authorship, updated_at: null };
  const payload = { id: comment.id, body };
  const write = oneStatement({
    first: lockTask(task),
    others: {
      entry: insertEntry({ task, action: 'comment', payload, at, caller, next }),
      comment: insertRows('comments', [{ ...comment, user_id: task.user_id }]),
    },
  });
  return { comment, write };
}

/** The comment with a new text and the write that stores it. There is no write if the text is unchanged. */
export function planCommentUpdate(
  { task, next }: LoggedTask,
  {
    comment: old,
    body,
    caller,
  }: { readonly comment: Comment; readonly body: string; readonly caller: Principal },
): Pick<CommentPlan, 'comment'> & Partial<CommentPlan> {
  if (body === old.body) return { comment: old };
  const now = timestamp();
  // Another server wrote the comment, and its clock may be ahead.
  const at = now > old.created_at ? now : old.created_at;
  const payload = { id: old.id, changes: { body: { from: old.body, to: body } } };
  const write = oneStatement({
    first: lockTask(task),
    others: {
      entry: insertEntry({ task, action: 'update_comment', payload, at, caller, next }),
      comment: sql`update comments set body = ${body}, updated_at = ${at} where ${isComment(task, old)}`,
    },
  });
  return { comment: { ...old, body, updated_at: at }, write };
}

/** The write that deletes a comment and logs its text. */
export function planCommentDeletion(
  { task, next }: LoggedTask,
  { id, body }: Comment,
  caller: Principal,
): Write {
  const payload = { id, body };
  return oneStatement({
    first: lockTask(task),
    others: {
      entry: insertEntry({ task, action: 'delete_comment', payload, at: timestamp(), caller, next }),
      comment: sql`delete from comments where ${isComment(task, { id })}`,
    },
  });
}

/**
 * Locks the task first. Otherwise a deletion of the task and a write of a comment could wait for each other's rows: a
 * deadlock.
 */
function lockTask({ id, user_id }: LoggedTask['task']): RawBuilder<unknown> {
  return sql`select id from tasks where user_id = ${user_id} and id = ${id} for no key update`;
}

function isComment(
  { id: taskId, user_id }: LoggedTask['task'],
  { id }: Pick<Comment, 'id'>,
): RawBuilder<unknown> {
  return sql`user_id = ${user_id} and task_id = ${taskId} and id = ${id}`;
}

/**
 * Reads the task's next position in its log, and then the comment. Each change of a comment takes a position in the
 * log, so a write that is based on an old comment fails.
 */
export async function getOwnComment(
  db: Db,
  { task }: LoggedTask,
  { id, caller }: { readonly id: string; readonly caller: Principal },
): Promise<Comment> {
  if (!isId(id)) throw new Problem('Comment not found');
  const { rows } = await sql<Comment>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from comments
    where ${isComment(task, { id })}`.execute(db);
  const [comment] = rows;
  if (comment === undefined) throw new Problem('Comment not found');
  if (comment.author_id !== (caller.agent ?? caller).id)
    throw new Problem(
      'Access denied',
      'Somebody else wrote this comment. Only its author can change or delete it.',
    );
  return comment;
}

/** The comments of a task, oldest first. */
export function commentsOf(task: RowKey): List<Comment> {
  return listByKeys({
    entries: sql`select * from comments where task_id = ${task.id} and user_id = ${task.userId}`,
    columns,
    texts: ['body'],
    keys: { created_at: 'timestamp', id: 'id' },
  });
}
