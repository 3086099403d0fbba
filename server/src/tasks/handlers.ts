import type { Db } from '../db/tables.ts';
import { Problem } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Call, Handlers, Principal } from '../operations.ts';
import { pageLinks, pageOf } from '../paging.ts';
import { keyOf, refuse, requireTask } from './access.ts';
import { stampOf, type AuditStamp } from './audit-entry.ts';
import { findAuditEntries, hasAuditEntries } from './audit-log.ts';
import { changeTask } from './change.ts';
import { findComments, insertComment } from './comments.ts';
import { insertTask } from './create.ts';
import { removeTask } from './delete.ts';
import { etagOfVersion, matchesIfNoneMatch, versionsOfIfMatch } from './etag.ts';
import { findTasks } from './list.ts';
import { withMoments } from './moment.ts';
import { findTask, type StoredTask } from './store.ts';
import { assignedFields, newTask, writtenFields } from './task.ts';

export interface TaskServices {
  readonly db: Db;
  /** The name of an agent of the user, if there is one with this id. */
  readonly findAgentName: (db: Db, agent: { id: string; userId: string }) => Promise<string | undefined>;
}

type TaskOperation =
  | 'listTasks'
  | 'createTask'
  | 'getTask'
  | 'updateTask'
  | 'deleteTask'
  | 'assignTask'
  | 'listComments'
  | 'createComment'
  | 'listAuditLogs';

export const taskHandlers: Handlers<TaskServices, TaskOperation> = {
  async listTasks({ caller, query }, { db }) {
    const page = pageOf(query);
    const list = await findTasks(db, caller.id, withMoments({ ...query, ...page }));
    const { length } = list.tasks;
    const hasNext = page.offset + length < list.count;
    const Link = pageLinks({ path: '/api/tasks', query, ...page, length, hasNext });
    return { status: 200, headers: { Link }, body: list };
  },

  async createTask({ caller, body }, { db }) {
    const id = newId(caller.id);
    const stored = await insertTask(db, { id, userId: caller.id }, newTask(body), newStamp(caller));
    return {
      status: 201,
      headers: { Location: `/api/tasks/${id}`, ETag: etagOfVersion(stored.version) },
      body: { task: stored.task },
    };
  },

  async getTask({ caller, path, headers }, { db }) {
    const key = keyOf(path.id, caller);
    const { task, version } = (await findTask(db, key)) ?? (await refuse(db, key));
    const ETag = etagOfVersion(version);
    if (matchesIfNoneMatch(headers['if-none-match'], version))
      return { status: 304, headers: { ETag }, body: null };
    return { status: 200, headers: { ETag }, body: { task } };
  },

  async updateTask({ caller, path, headers, body }, { db }) {
    const { task, version } = await change(db, { caller, path, headers }, 'update', writtenFields(body));
    return { status: 200, headers: { ETag: etagOfVersion(version) }, body: { task } };
  },

  async assignTask({ caller, path, headers, body }, { db, findAgentName }) {
    const fields = assignedFields(body);
    if (fields.assignee_type === 'agent' && fields.assignee_id != null && fields.assignee_name === null) {
      const agent = { id: fields.assignee_id, userId: caller.id };
      fields.assignee_name = (await findAgentName(db, agent)) ?? null;
    }
    const { task, version } = await change(db, { caller, path, headers }, 'assign', fields);
    return { status: 200, headers: { ETag: etagOfVersion(version) }, body: task };
  },

  async deleteTask({ caller, path, headers }, { db }) {
    const key = keyOf(path.id, caller);
    const deletion = { versions: versionsOfIfMatch(headers['if-match']), stamp: newStamp(caller) };
    const outcome = (await removeTask(db, key, deletion)) ?? (await refuse(db, key));
    if (outcome === 'stale') throw new Problem('Precondition failed');
    return { status: 200, body: { id: key.id, deleted: true } };
  },

  async createComment({ caller, path, body }, { db }) {
    const key = keyOf(path.id, caller);
    const comment = {
      id: newId(caller.id),
      body: body.body,
      author: caller.agent ?? caller,
      stamp: newStamp(caller),
    };
    const inserted = (await insertComment(db, key, comment)) ?? (await refuse(db, key));
    return { status: 201, headers: { Location: `/api/tasks/${key.id}/comments` }, body: inserted };
  },

  async listComments({ caller, path, query }, { db }) {
    const key = keyOf(path.id, caller);
    const page = pageOf(query);
    const found = await findComments(db, key, page);
    if (found.entries.length === 0) await requireTask(db, key);
    return pageReply(found, { path: `/api/tasks/${key.id}/comments`, query, ...page });
  },

  async listAuditLogs({ caller, path, query }, { db }) {
    const key = keyOf(path.id, caller);
    const page = pageOf(query);
    const found = await findAuditEntries(db, key, page);
    const isSeenEmpty = page.offset === 0 && page.limit > 0;
    if (found.entries.length === 0 && (isSeenEmpty || !(await hasAuditEntries(db, key))))
      await refuse(db, key);
    return pageReply(found, { path: `/api/tasks/${key.id}/audit-logs`, query, ...page });
  },
};

async function change(
  db: Db,
  { caller, path, headers }: Pick<Call<'updateTask' | 'assignTask'>, 'caller' | 'path' | 'headers'>,
  action: 'update' | 'assign',
  fields: ReturnType<typeof writtenFields>,
): Promise<StoredTask> {
  const key = keyOf(path.id, caller);
  if (Object.keys(fields).length === 0) {
    // Whoever cannot reach the task learns that first.
    await requireTask(db, key);
    throw new Problem('No fields to update');
  }
  const versions = versionsOfIfMatch(headers['if-match']);
  const stored = await changeTask(db, key, { action, fields, versions, stamp: newStamp(caller) });
  if (stored === 'stale') throw new Problem('Precondition failed');
  return stored ?? refuse(db, key);
}

function newStamp(caller: Principal): AuditStamp {
  return stampOf(caller, newId(caller.id));
}

function pageReply<Entry>(
  { entries, hasNext }: { entries: Entry[]; hasNext: boolean },
  page: { path: string; query: object; limit: number; offset: number },
): { status: 200; headers: { Link: string | undefined }; body: Entry[] } {
  const Link = pageLinks({ ...page, length: entries.length, hasNext });
  return { status: 200, headers: { Link }, body: entries };
}
