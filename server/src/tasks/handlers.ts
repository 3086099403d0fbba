import { readList } from '../db/list.ts';
import type { RowKey } from '../db/rows.ts';
import type { Db } from '../db/tables.ts';
import type { Handler } from '../contract/operation.ts';
import { matchesETag } from '../lib/ids.ts';
import { planDeletion, planUpdate, writeOf } from './change-task.ts';
import { planCreation, type InsertTask } from './create.ts';
import { getTaskWithAuditSeq, parseTaskKey, throwMissing, type FindTask } from './find-task.ts';
import { tasksOf } from './list.ts';
import { assignedFields, newFields, writtenFields } from './task.ts';
import { withinQuota, type TaskQuota } from './task-quota.ts';

export interface TaskServices extends TaskQuota {
  /** How many bytes of texts a search reads; undefined for no limit. */
  readonly searchBytesMax: number | undefined;
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

export const createTask: Handler<'createTask', TaskServices> = (
  { caller, body },
  { insertTask, tasksMax },
) => {
  const change = planCreation(caller, newFields(body));
  const { task } = change;
  return {
    status: 201,
    headers: { Location: `/api/tasks/${task.id}`, ETag: task.etag },
    body: { task },
    write: withinQuota(insertTask(change), { userId: caller.id, added: 1, tasksMax }),
  };
};

export const getTask: Handler<'getTask', TaskServices> = async (request, { db, findTask }) => {
  const key = parseTaskKey(request);
  const task = (await findTask(key)) ?? (await throwMissing(db, key));
  const headers = { ETag: task.etag };
  const seen = request.headers['if-none-match'];
  if (seen !== undefined && matchesETag(seen, task.etag)) return { status: 304, headers, body: null };
  return { status: 200, headers, body: { task } };
};

export const updateTask: Handler<'updateTask', TaskServices> = async (request, { db }) => {
  const found = await getTaskWithAuditSeq(db, request);
  const { task, change } = planUpdate(found, 'update', writtenFields(request.body), request);
  return { status: 200, headers: { ETag: task.etag }, body: { task }, write: change && writeOf(change) };
};

export const assignTask: Handler<'assignTask', TaskServices> = async (request, { db, findAgent }) => {
  const fields = assignedFields(request.body);
  if (fields.assignee_type === 'agent' && fields.assignee_id != null && fields.assignee_name === null) {
    const agent = { id: fields.assignee_id, userId: request.caller.id };
    fields.assignee_name = (await findAgent(db, agent))?.name ?? null;
  }
  const { task, change } = planUpdate(await getTaskWithAuditSeq(db, request), 'assign', fields, request);
  return { status: 200, headers: { ETag: task.etag }, body: task, write: change && writeOf(change) };
};

export const deleteTask: Handler<'deleteTask', TaskServices> = async (request, { db }) => {
  const change = planDeletion(await getTaskWithAuditSeq(db, request), request);
  return { status: 200, body: { id: change.task.id, deleted: true }, write: writeOf(change) };
};
