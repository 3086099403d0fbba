import { readList, readPage } from '../db/list.ts';
import type { RowKey } from '../db/rows.ts';
import type { Db } from '../db/tables.ts';
import { validationError } from '../contract/problem.ts';
import type { Request, Handler } from '../contract/operation.ts';
import { auditLogOf } from './audit-log.ts';
import { batchErrors, planBatch } from './batch.ts';
import {
  commentsOf,
  getOwnComment,
  planComment,
  planCommentDeletion,
  planCommentUpdate,
} from './comments.ts';
import { countTasks as readCounts } from './count.ts';
import { newTask, type InsertTask } from './create.ts';
import { planDeletion, planUpdate } from './change-task.ts';
import { matchesETag } from '../lib/ids.ts';
import type { SearchLimit } from './filters.ts';
import { tasksOf } from './list.ts';
import { getTaskWithAuditSeq, parseTaskKey, throwMissing, type FindTask } from './find-task.ts';
import { assignedFields, newFields, writtenFields } from './task.ts';
import { withinQuota, writeOf, type TaskQuota } from './task-write.ts';

export interface TaskServices extends SearchLimit, TaskQuota {
  readonly db: Db;
  readonly findTask: FindTask;
  readonly insertTask: InsertTask;
  /** The name of the user's agent with this id, if it exists. */
  readonly findAgent: (db: Db, agent: RowKey) => Promise<{ name: string } | undefined>;
}

export const listTasks: Handler<'listTasks', TaskServices> = async (
  { caller, query },
  { db, searchBytesMax },
) => {
  const list = tasksOf(caller.id, { ...query, searchBytesMax });
  const request = { path: '/api/tasks', userId: caller.id, query };
  const { entries: tasks, count, headers } = await readList(db, list, request);
  return { status: 200, headers, body: { tasks, count } };
};

export const countTasks: Handler<'countTasks', TaskServices> = async ({ caller, query }, { db }) => {
  return { status: 200, body: await readCounts(db, caller.id, query) };
};

export const createTask: Handler<'createTask', TaskServices> = (
  { caller, body },
  { insertTask, tasksMax },
) => {
  const task = newTask(caller, newFields(body));
  return {
    status: 201,
    headers: { Location: `/api/tasks/${task.id}`, ETag: task.etag },
    body: { task },
    write: withinQuota(insertTask({ task, caller }), { userId: caller.id, added: 1, tasksMax }),
  };
};

export const getTask: Handler<'getTask', TaskServices> = async (
  { caller, path, headers },
  { db, findTask },
) => {
  const key = parseTaskKey(path.id, caller);
  const task = (await findTask(key)) ?? (await throwMissing(db, key));
  const { etag: ETag } = task;
  const seen = headers['if-none-match'];
  if (seen !== undefined && matchesETag(seen, ETag)) return { status: 304, headers: { ETag }, body: null };
  return { status: 200, headers: { ETag }, body: { task } };
};

export const updateTask: Handler<'updateTask', TaskServices> = async (request, { db }) => {
  const { task, change } = await planChange(db, request, 'update', writtenFields(request.body));
  return { status: 200, headers: { ETag: task.etag }, body: { task }, write: change && writeOf(change) };
};

export const assignTask: Handler<'assignTask', TaskServices> = async (request, { db, findAgent }) => {
  const fields = assignedFields(request.body);
  if (fields.assignee_type === 'agent' && fields.assignee_id != null && fields.assignee_name === null) {
    const agent = { id: fields.assignee_id, userId: request.caller.id };
    fields.assignee_name = (await findAgent(db, agent))?.name ?? null;
  }
  const { task, change } = await planChange(db, request, 'assign', fields);
  return { status: 200, headers: { ETag: task.etag }, body: task, write: change && writeOf(change) };
};

export const deleteTask: Handler<'deleteTask', TaskServices> = async ({ caller, path, headers }, { db }) => {
  const key = parseTaskKey(path.id, caller);
  const change = planDeletion(await getTaskWithAuditSeq(db, key), { caller, headers });
  return { status: 200, body: { id: key.id, deleted: true }, write: writeOf(change) };
};

export const batchTasks: Handler<'batchTasks', TaskServices> = ({ caller, body }, { db, tasksMax }) => {
  const errors = batchErrors(body);
  if (errors.length > 0) throw validationError(errors);
  return planBatch(db, caller, body, { tasksMax });
};

export const createComment: Handler<'createComment', TaskServices> = async ({ caller, path, body }, { db }) =>
  planComment(await getTaskWithAuditSeq(db, parseTaskKey(path.id, caller)), caller, body.body);

export const updateComment: Handler<'updateComment', TaskServices> = async (
  { caller, path, body },
  { db },
) => {
  const task = await getTaskWithAuditSeq(db, parseTaskKey(path.id, caller));
  const old = await getOwnComment(db, task, path.comment_id, caller);
  return planCommentUpdate(task, old, caller, body.body);
};

export const deleteComment: Handler<'deleteComment', TaskServices> = async ({ caller, path }, { db }) => {
  const task = await getTaskWithAuditSeq(db, parseTaskKey(path.id, caller));
  return planCommentDeletion(task, await getOwnComment(db, task, path.comment_id, caller), caller);
};

export const listComments: Handler<'listComments', TaskServices> = async (
  { caller, path, query },
  { db, findTask },
) => {
  const key = parseTaskKey(path.id, caller);
  const request = { path: `/api/tasks/${key.id}/comments`, userId: caller.id, query };
  const { entries, headers } = await readList(db, commentsOf(key), request);
  if (entries.length === 0 && (await findTask(key)) === undefined) await throwMissing(db, key);
  return { status: 200, headers, body: entries };
};

export const listAuditLogs: Handler<'listAuditLogs', TaskServices> = async (
  { caller, path, query },
  { db },
) => {
  const key = parseTaskKey(path.id, caller);
  const request = { path: `/api/tasks/${key.id}/audit-logs`, userId: caller.id, query };
  const log = auditLogOf(key);
  const { entries, headers } = await readList(db, log, request);
  // The log of a task has at least one entry. A page may be empty because it begins after the last entry.
  const isEmpty = async () => (await readPage(db, log, { limit: 1, offset: 0 })).entries.length === 0;
  if (entries.length === 0 && (await isEmpty())) await throwMissing(db, key);
  return { status: 200, headers, body: entries.map(({ seq, ...entry }) => entry) };
};

async function planChange(
  db: Db,
  { caller, path, headers }: Pick<Request<'updateTask' | 'assignTask'>, 'caller' | 'path' | 'headers'>,
  action: 'update' | 'assign',
  fields: ReturnType<typeof writtenFields>,
): Promise<ReturnType<typeof planUpdate>> {
  const task = await getTaskWithAuditSeq(db, parseTaskKey(path.id, caller));
  return planUpdate(task, action, fields, { caller, headers });
}
