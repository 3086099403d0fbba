import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { allPages } from '../support/pages.ts';
import { deletesWhatIsNew, me, other, unique, url, token } from './target.ts';

deletesWhatIsNew();

async function createTask(fields: object = {}): Promise<Schemas['Task']> {
  return (await me.ok('createTask', { body: { title: unique, workspace_id: unique, ...fields } })).body.task;
}

describe('a task', () => {
  it('is created, read where Location says, changed, assigned, commented on, and deleted', async () => {
    const created = await me.ok('createTask', { body: { title: unique, due_date: '2030-01-31' } });
    const { task } = created.body;
    const located = await fetch(new URL(created.headers.get('Location') ?? '', url), {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await located.json()).toEqual({ task });

    const updated = await me.ok('updateTask', { id: task.id, body: { status: 'done', due_date: null } });
    expect(updated.body.task).toMatchObject({ status: 'done', due_date: null, title: unique });
    const assigned = await me.ok('assignTask', { id: task.id, body: { assignee_id: 'bob' } });
    expect(assigned.body).toMatchObject({ assignee_id: 'bob', assignee_type: 'human' });
    const comment = await me.ok('createComment', { id: task.id, body: { body: 'Hello.' } });
    expect((await me.ok('listComments', { id: task.id })).body).toEqual([comment.body]);

    expect((await me.ok('deleteTask', { id: task.id })).body).toEqual({ id: task.id, deleted: true });
    await me.fails('getTask', 404, { id: task.id });
    await me.fails('deleteTask', 404, { id: task.id });
    const log = await me.ok('listAuditLogs', { id: task.id });
    expect(log.body.map(({ action }) => action)).toEqual(['create', 'update', 'assign', 'comment', 'delete']);
  });

  it('has an ETag, by which it is read only if it has changed and changed only if it has not', async () => {
    const { id } = await createTask();
    const etag = (await me.ok('getTask', { id })).headers.get('ETag') ?? '';

    expect((await me.send('getTask', { id, headers: { 'If-None-Match': etag } })).status).toBe(304);
    const current = { 'If-Match': etag };
    const changed = await me.ok('updateTask', { id, body: { tags: 'a' }, headers: current });
    expect(changed.headers.get('ETag')).not.toBe(etag);
    await me.fails('updateTask', 412, { id, body: { tags: 'b' }, headers: current });
    await me.fails('assignTask', 412, { id, body: { assignee_id: 'bob' }, headers: current });
    await me.fails('deleteTask', 412, { id, headers: current });
    expect((await me.ok('getTask', { id })).body.task.tags).toBe('a');
  });

  it('is created once under one Idempotency-Key', async () => {
    const request = { body: { title: unique }, headers: { 'Idempotency-Key': `${unique}-once` } };

    const first = await me.ok('createTask', request);
    const second = await me.ok('createTask', request);

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    await me.fails('createTask', 422, { ...request, body: { title: `${unique} other` } });

    const id = first.body.task.id;
    const comment = { id, body: { body: 'Hello.' }, headers: { 'Idempotency-Key': `${unique}-comment` } };
    await me.ok('createComment', comment);
    await me.ok('createComment', comment);
    expect((await me.ok('listComments', { id })).body).toHaveLength(1);
    await me.fails('createComment', 422, { ...comment, body: { body: 'Other.' } });
  });

  it.skipIf(other === undefined)('is its owner’s alone', async () => {
    const { id } = await createTask();

    await other?.fails('getTask', 403, { id });
    await other?.fails('updateTask', 403, { id, body: { title: 'x' } });
    await other?.fails('deleteTask', 403, { id });
    await other?.fails('assignTask', 403, { id, body: { assignee_id: 'x' } });
    await other?.fails('listComments', 403, { id });
    await other?.fails('createComment', 403, { id, body: { body: 'x' } });
    await other?.fails('listAuditLogs', 403, { id });
  });
});

it('a list of tasks is read page by page, each task once, and filtered', async () => {
  const workspace = `${unique}-pages`;
  const created: string[] = [];
  for (let i = 0; i < 7; i++) {
    const task = await createTask({ workspace_id: workspace, status: i < 3 ? 'todo' : 'done' });
    created.push(task.id);
  }

  const pages = await allPages(me, 'listTasks', { query: `workspace_id=${workspace}&limit=3` });

  expect(pages.map(({ count }) => count)).toEqual([7, 7, 7]);
  expect(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id))).toEqual(created.toReversed());
  const todo = await me.ok('listTasks', { query: `workspace_id=${workspace}&status=todo&limit=0` });
  expect(todo.body).toEqual({ tasks: [], count: 3 });
});
