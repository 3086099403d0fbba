import { sql, type RawBuilder } from 'kysely';
import { columnList, insertRows, type RowKey } from '../db/rows.ts';
import { listByKeys, type List } from '../db/list.ts';
import { oneStatement, type Write } from '../db/write.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { isId, newId } from '../lib/ids.ts';
import type { Caller, Plan, Schemas } from '../contract/operation.ts';
import { schemaFields } from '../contract/schema.ts';
import { insertEntry, timeOfChange, type NewEntry } from './audit-log.ts';
import type { TaskWithAuditSeq } from './find-task.ts';

type Comment = Schemas['Comment'];

const columns = schemaFields('Comment');

/** Plans a new comment, and the write that inserts it and its audit entry. */
export function planComment(parent: TaskWithAuditSeq, caller: Caller, body: string): Plan<'createComment'> {
  const at = timeOfChange(parent.next);
  const author = caller.agent ?? caller;
  const authorship = { author_id: author.id, author_name: author.name, created_at: at };
  const comment = { id: newId(), task_id: parent.task.id, body, ...authorship, updated_at: null };
  const statement = insertRows('comments', [{ ...comment, user_id: parent.task.user_id }]);
  const payload = { id: comment.id, body };
  return {
    status: 201,
    headers: { Location: `/api/tasks/${parent.task.id}/comments` },
    body: comment,
    write: writeComment(parent, { action: 'comment', payload, at, caller }, statement),
  };
}

/** Plans a new text of a comment. Nothing is written if the text is the same. */
export function planCommentUpdate(
  parent: TaskWithAuditSeq,
  old: Comment,
  caller: Caller,
  body: string,
): Plan<'updateComment'> {
  if (body === old.body) return { status: 200, body: old, write: undefined };
  const at = timeOfChange(parent.next);
  const payload = { id: old.id, changes: { body: { from: old.body, to: body } } };
  const statement = sql`update comments set body = ${body}, updated_at = ${at} where ${isComment(parent, old.id)}`;
  const write = writeComment(parent, { action: 'update_comment', payload, at, caller }, statement);
  return { status: 200, body: { ...old, body, updated_at: at }, write };
}

/** Plans the deletion of a comment, and an audit entry with its text. */
export function planCommentDeletion(
  parent: TaskWithAuditSeq,
  { id, body }: Comment,
  caller: Caller,
): Plan<'deleteComment'> {
  const at = timeOfChange(parent.next);
  const entry = { action: 'delete_comment', payload: { id, body }, at, caller } as const;
  const write = writeComment(parent, entry, sql`delete from comments where ${isComment(parent, id)}`);
  return { status: 200, body: { id, deleted: true }, write };
}

/**
 * Changes a comment and logs the change. Locks the task first: otherwise a deletion of the task and a write of a
 * comment could wait for each other's rows, a deadlock.
 */
function writeComment(
  { task, next }: TaskWithAuditSeq,
  entry: Pick<NewEntry, 'action' | 'payload' | 'at' | 'caller'>,
  comment: RawBuilder<unknown>,
): Write {
  return oneStatement({
    first: sql`
      select id from tasks where user_id = ${task.user_id} and id = ${task.id} for no key update`,
    others: { entry: insertEntry({ task, next, ...entry }), comment },
  });
}

function isComment({ task }: TaskWithAuditSeq, id: string): RawBuilder<unknown> {
  return sql`user_id = ${task.user_id} and task_id = ${task.id} and id = ${id}`;
}

/**
 * The caller's comment. Call this after `parent` has been read: each change of a comment takes the next position in the
 * task's log, so a write that is based on an outdated comment fails.
 */
export async function getOwnComment(
  db: Db,
  parent: TaskWithAuditSeq,
  id: string,
  caller: Caller,
): Promise<Comment> {
  if (!isId(id)) throw new Problem('Comment not found');
  const { rows } = await sql<Comment>`
    select ${columnList(columns)} from comments
    where ${isComment(parent, id)}`.execute(db);
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
