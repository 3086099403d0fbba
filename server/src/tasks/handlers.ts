import type { ReadTarget } from '../db/read.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Call, Handler, Principal } from '../operation.ts';
import { pageLinks, pageOf, type Page, type PageRequest } from '../paging.ts';
import { parseTaskKey, throwNotFoundOrForbidden, requireTask } from './access.ts';
import { auditContextOf, type AuditContext } from './audit-entry.ts';
import { findAuditEntries, hasAuditEntries } from './audit-log.ts';
import { changeTask } from './update.ts';
import { findComments, insertComment } from './comments.ts';
import { insertTask } from './create.ts';
import { removeTask } from './delete.ts';
import { etagOfVersion, matchesIfNoneMatch, versionsOfIfMatch } from './etag.ts';
import { findTasks } from './list.ts';
import { withTimestamps } from './iso-timestamp.ts';
import { findTask, type StoredTask } from './find-task.ts';
import { assignedFields, newTask, writtenFields } from './task.ts';

export interface TaskServices extends ReadTarget {
  /** The name of the user's agent with this id, if it exists. */
  readonly findAgentName: (db: Db, agent: { id: string; userId: string }) => Promise<string | undefined>;
}

export const listTasks: Handler<'listTasks', TaskServices> = async ({ caller, query }, { db }) => {
  const page = pageOf(query);
  const list = await findTasks(db, caller.id, withTimestamps({ ...query, ...page }));
  const { length } = list.tasks;
  const hasNext = page.offset + length < list.count;
  const Link = pageLinks({ path: '/api/tasks', query, ...page, length, hasNext });
  return { status: 200, headers: { Link }, body: list };
};

export const createTask: Handler<'createTask', TaskServices> = async ({ caller, body }, { db }) => {
  const id = newId(caller.id);
  const stored = await insertTask(db, { id, userId: caller.id }, newTask(body), newAuditContext(caller));
  return {
    status: 201,
    headers: { Location: `/api/tasks/${id}`, ETag: etagOfVersion(stored.version) },
    body: { task: stored.task },
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
    auditContext: newAuditContext(caller),
  };
  const outcome =
    (await removeTask(services.db, key, deletion)) ?? (await throwNotFoundOrForbidden(services, key));
  if (outcome === 'stale') throw new Problem('Precondition failed');
  return { status: 200, body: { id: key.id, deleted: true } };
};

export const createComment: Handler<'createComment', TaskServices> = async (
  { caller, path, body },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const comment = {
    id: newId(caller.id),
    body: body.body,
    author: caller.agent ?? caller,
    auditContext: newAuditContext(caller),
  };
  const inserted =
    (await insertComment(services.db, key, comment)) ?? (await throwNotFoundOrForbidden(services, key));
  return { status: 201, headers: { Location: `/api/tasks/${key.id}/comments` }, body: inserted };
};

export const listComments: Handler<'listComments', TaskServices> = async (
  { caller, path, query },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const page = pageOf(query);
  const found = await findComments(services.db, key, page);
  if (found.entries.length === 0) await requireTask(services, key);
  return pageReply(found, { path: `/api/tasks/${key.id}/comments`, query, ...page });
};

export const listAuditLogs: Handler<'listAuditLogs', TaskServices> = async (
  { caller, path, query },
  services,
) => {
  const key = parseTaskKey(path.id, caller);
  const page = pageOf(query);
  const found = await findAuditEntries(services.db, key, page);
  // The first page of a task's log is never empty; a page after the last one is.
  const isUnknown = page.offset === 0 && page.limit > 0;
  if (found.entries.length === 0 && (isUnknown || !(await hasAuditEntries(services.db, key))))
    await throwNotFoundOrForbidden(services, key);
  return pageReply(found, { path: `/api/tasks/${key.id}/audit-logs`, query, ...page });
};

async function change(
  services: TaskServices,
  { caller, path, headers }: Pick<Call<'updateTask' | 'assignTask'>, 'caller' | 'path' | 'headers'>,
  action: 'update' | 'assign',
  fields: ReturnType<typeof writtenFields>,
): Promise<StoredTask> {
  const key = parseTaskKey(path.id, caller);
  if (Object.keys(fields).length === 0) {
    // A caller who cannot reach the task gets that error first.
    await requireTask(services, key);
    throw new Problem('No fields to update');
  }
  const versions = versionsOfIfMatch(headers['if-match']);
  const stored = await changeTask(services.db, key, {
    action,
    fields,
    versions,
    auditContext: newAuditContext(caller),
  });
  if (stored === 'stale') throw new Problem('Precondition failed');
  return stored ?? throwNotFoundOrForbidden(services, key);
}

function newAuditContext(caller: Principal): AuditContext {
  return auditContextOf(caller, newId(caller.id));
}

function pageReply<Entry>(
  { entries, hasNext }: Page<Entry>,
  page: PageRequest & { path: string; query: object },
): { status: 200; headers: { Link: string | undefined }; body: Entry[] } {
  const Link = pageLinks({ ...page, length: entries.length, hasNext });
  return { status: 200, headers: { Link }, body: entries };
}
