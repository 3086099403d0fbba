import { sql, type RawBuilder } from 'kysely';
import { columnList, insertRows } from '../db/rows.ts';
import { listByKeys, readList } from '../db/list.ts';
import { oneStatement, type Write } from '../db/write.ts';
import type { Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import { Problem } from '../contract/problem.ts';
import { isId, newId } from '../lib/ids.ts';
import type { Handler, Request, Schemas } from '../contract/operation.ts';
import { schemaFields } from '../contract/schema.ts';
import { insertEntry, type NewEntry } from './audit-log.ts';
import { getTaskWithAuditSeq, parseTaskKey, throwMissing, type TaskWithAuditSeq } from './find-task.ts';
import type { TaskServices } from './handlers.ts';

type Comment = Schemas['Comment'];

const columns = schemaFields('Comment');

/** The comments of a task, oldest first. */
export const listComments: Handler<'listComments', TaskServices> = async (request, { db, findTask }) => {
  const key = parseTaskKey(request);
  const list = listByKeys<Comment>({
    entries: sql`select * from comments where task_id = ${key.id} and user_id = ${key.userId}`,
    columns,
    texts: ['body'],
    keys: { created_at: 'timestamp', id: 'id' },
  });
  const page = { path: `/api/tasks/${key.id}/comments`, userId: key.userId, query: request.query };
  const { entries, headers } = await readList(db, list, page);
  if (entries.length === 0 && (await findTask(key)) === undefined) await throwMissing(db, key);
  return { status: 200, headers, body: entries };
};

export const createComment: Handler<'createComment', TaskServices> = async (request, { db }) => {
  const parent = await getTaskWithAuditSeq(db, request);
  const { caller } = request;
  const { body } = request.body;
  const author = caller.agent ?? caller;
  const at = timestamp();
  const authorship = { author_id: author.id, author_name: author.name, created_at: at };
  const comment = { id: newId(), task_id: parent.task.id, body, ...authorship, updated_at: null };
  const statement = insertRows('comments', [{ ...comment, user_id: parent.task.user_id }]);
  const entry = { action: 'comment', payload: { id: comment.id, body }, at, caller } as const;
  return {
    status: 201,
    headers: { Location: `/api/tasks/${parent.task.id}/comments` },
    body: comment,
    write: writeComment(parent, entry, statement),
  };
};

/** Changes the text of a comment. Nothing is written if the text is the same. */
export const updateComment: Handler<'updateComment', TaskServices> = async (request, { db }) => {
  const { parent, comment, isComment } = await getOwnComment(db, request);
  const { caller } = request;
  const { body } = request.body;
  if (body === comment.body) return { status: 200, body: comment, write: undefined };
  const at = timestamp();
  const payload = { id: comment.id, changes: { body: { from: comment.body, to: body } } };
  const statement = sql`update comments set body = ${body}, updated_at = ${at} where ${isComment}`;
  const write = writeComment(parent, { action: 'update_comment', payload, at, caller }, statement);
  return { status: 200, body: { ...comment, body, updated_at: at }, write };
};

/** Deletes a comment. The log keeps its text. */
export const deleteComment: Handler<'deleteComment', TaskServices> = async (request, { db }) => {
  const { parent, comment, isComment } = await getOwnComment(db, request);
  const { id, body } = comment;
  const { caller } = request;
  const entry = { action: 'delete_comment', payload: { id, body }, at: timestamp(), caller } as const;
  const write = writeComment(parent, entry, sql`delete from comments where ${isComment}`);
  return { status: 200, body: { id, deleted: true }, write };
};

/**
 * Changes a comment and logs the change. Locks the task first: otherwise a deletion of the task and a write of a
 * comment could wait for each other's rows, a deadlock.
 */
function writeComment(
  { task, seq }: TaskWithAuditSeq,
  entry: Pick<NewEntry, 'action' | 'payload' | 'at' | 'caller'>,
  comment: RawBuilder<unknown>,
): Write {
  return oneStatement({
    first: sql`
      select id from tasks where user_id = ${task.user_id} and id = ${task.id} for no key update`,
    others: { entry: insertEntry({ task, seq, ...entry }), comment },
  });
}

/**
 * The caller's comment and its task. The task is read first: each change of a comment takes the next number in the
 * task's log, so a write that is based on an outdated comment fails.
 */
async function getOwnComment(db: Db, request: Pick<Request<'deleteComment'>, 'caller' | 'path'>) {
  const parent = await getTaskWithAuditSeq(db, request);
  const { comment_id: id } = request.path;
  if (!isId(id)) throw new Problem('Comment not found');
  const { task } = parent;
  const isComment = sql`user_id = ${task.user_id} and task_id = ${task.id} and id = ${id}`;
  const { rows } = await sql<Comment>`select ${columnList(columns)} from comments where ${isComment}`.execute(
    db,
  );
  const [comment] = rows;
  if (comment === undefined) throw new Problem('Comment not found');
  if (comment.author_id !== (request.caller.agent ?? request.caller).id)
    throw new Problem(
      'Access denied',
      'Somebody else wrote this comment. Only its author can change or delete it.',
    );
  return { parent, comment, isComment };
}
