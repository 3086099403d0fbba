import type { ReadTarget } from '../db/read.ts';
import type { Db } from '../db/tables.ts';
import type { WriteTarget } from '../db/write.ts';
import { Problem } from '../errors.ts';
import type { Call, Handler } from '../operation.ts';
import { pageLinks, pageOf } from '../paging.ts';
import { parseTaskKey, throwNotFoundOrForbidden, requireTask } from './access.ts';
import { auditContextOf } from './audit-entry.ts';
import { auditPosition, findAuditEntries, hasAuditEntries } from './audit-log.ts';
import { changeTask } from './update.ts';
import { commentPosition, findComments, planComment } from './comments.ts';
import { planNewTask } from './create.ts';
import { removeTask } from './delete.ts';
import { etagOfVersion, matchesIfNoneMatch, versionsOfIfMatch } from './etag.ts';
import type { SearchLimit } from './filters.ts';
import { findTasks } from './list.ts';
import { withTimestamps } from './iso-timestamp.ts';
import { positionTypes } from './order.ts';
import { findTask, type StoredTask } from './find-task.ts';
import { assignedFields, newTask, writtenFields } from './task.ts';

export interface TaskServices extends ReadTarget, WriteTarget, SearchLimit {
  /** The name of the user's agent with this id, if it exists. */
  readonly findAgentName: (db: Db, agent: { id: string; userId: string }) => Promise<string | undefined>;
}

export const listTasks: Handler<'listTasks', TaskServices> = async (
  { caller, query },
  { db, searchBytesMax },
) => {
  const { cursor, ...filters } = query;
  const list = { path: '/api/tasks', userId: caller.id, query };
  const page = pageOf(list, positionTypes(query.sort));
  const found = await findTasks(db, caller.id, withTimestamps({ ...filters, ...page, searchBytesMax }));
  const { entries: tasks, count, next } = found;
  return { status: 200, headers: { Link: pageLinks(list, page, next) }, body: { tasks, count } };
};

export const createTask: Handler<'createTask', TaskServices> = ({ caller, body }) => {
  const { task, version, write } = planNewTask(caller, newTask(body));
  return {
    status: 201,
    headers: { Location: `/api/tasks/${task.id}`, ETag: etagOfVersion(version) },
    body: { task },
    write,
  };
};

export const getTask: Handler<'getTask', TaskServices> = async ({ caller, path, headers }, services) => {
  const key = parseTaskKey(path.id, caller);
  const { task, version } =
    (await findTask(services, key)) ?? (await throwNotFoundOrForbidden(services, key));
  const ETag = etagOfVersion(version);
  if (matchesIfNoneMatch(headers['if-none-match'], version))
    return { status: 304, headers: { ETag }, body: null };
  return { status: 200, headers: { ETag }, body: { task } };
};

export const updateTask: Handler<'updateTask', TaskServices> = async (
  { caller, path, headers, body },
  services,
) => {
  const { task, version } = await change(services, { caller, path, headers }, 'update', writtenFields(body));
  return { status: 200, headers: { ETag: etagOfVersion(version) }, body: { task } };
};

export const assignTask: Handler<'assignTask', TaskServices> = async (
  { caller, path, headers, body },
  services,
) => {
  const fields = assignedFields(body);
  if (fields.assignee_type === 'agent' && fields.assignee_id != null && fields.assignee_name === null) {
    const agent = { id: fields.assignee_id, userId: caller.id };
    fields.assignee_name = (await services.findAgentName(services.db, agent)) ?? null;
  }
  const { task, version } = await change(services, { caller, path, headers }, 'assign', fields);
  return { status: 200, headers: { ETag: etagOfVersion(version) }, body: task };
};

export const deleteTask: Handler<'deleteTask', TaskServices> = async (
  { caller, path, headers },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const deletion = {
    versions: versionsOfIfMatch(headers['if-match']),
    auditContext: auditContextOf(caller),
  };
  const outcome =
    (await removeTask(services, key, deletion)) ?? (await throwNotFoundOrForbidden(services, key));
  if (outcome === 'stale') throw new Problem('Precondition failed');
  return { status: 200, body: { id: key.id, deleted: true } };
};

export const createComment: Handler<'createComment', TaskServices> = ({ caller, path, body }, services) => {
  const key = parseTaskKey(path.id, caller);
  const { comment, write } = planComment(key, caller, {
    body: body.body,
    refuse: () => throwNotFoundOrForbidden(services, key),
  });
  return { status: 201, headers: { Location: `/api/tasks/${key.id}/comments` }, body: comment, write };
};

export const listComments: Handler<'listComments', TaskServices> = async (
  { caller, path, query },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const list = { path: `/api/tasks/${key.id}/comments`, userId: caller.id, query };
  const page = pageOf(list, commentPosition);
  const { entries, next } = await findComments(services.db, key, page);
  if (entries.length === 0) await requireTask(services, key);
  return { status: 200, headers: { Link: pageLinks(list, page, next) }, body: entries };
};

export const listAuditLogs: Handler<'listAuditLogs', TaskServices> = async (
  { caller, path, query },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const list = { path: `/api/tasks/${key.id}/audit-logs`, userId: caller.id, query };
  const page = pageOf(list, auditPosition);
  const { entries, next } = await findAuditEntries(services.db, key, page);
  // The log of a task has at least one entry, so an empty first page means that the user has no such task. A later page
  // may also be empty because it begins after the last entry.
  const isUnknown = page.offset === 0 && page.after === undefined && page.limit > 0;
  if (entries.length === 0 && (isUnknown || !(await hasAuditEntries(services.db, key))))
    await throwNotFoundOrForbidden(services, key);
  return { status: 200, headers: { Link: pageLinks(list, page, next) }, body: entries };
};

async function change(
  services: TaskServices,
  { caller, path, headers }: Pick<Call<'updateTask' | 'assignTask'>, 'caller' | 'path' | 'headers'>,
  action: 'update' | 'assign',
  fields: ReturnType<typeof writtenFields>,
): Promise<StoredTask> {
  const key = parseTaskKey(path.id, caller);
  if (Object.keys(fields).length === 0) {
    // 403 and 404 take precedence over this 400.
    await requireTask(services, key);
    throw new Problem('No fields to update');
  }
  const versions = versionsOfIfMatch(headers['if-match']);
  const stored = await changeTask(services, key, {
    action,
    fields,
    versions,
    auditContext: auditContextOf(caller),
  });
  if (stored === 'stale') throw new Problem('Precondition failed');
  return stored ?? throwNotFoundOrForbidden(services, key);
}
