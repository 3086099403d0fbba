import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

const alice = await sharedServer().as('alice');

spec('updateTask', 200, 'the given fields change and the others stay', async () => {
  const task = await createTask(alice, { title: 'Before', description: 'kept', tags: 'a' });

  const { body, headers } = await alice.ok('updateTask', {
    id: task.id,
    body: { title: 'After', tags: 'b' },
  });

  expect(body.task).toEqual({
    ...task,
    title: 'After',
    tags: 'b',
    updated_at: body.task.updated_at,
    etag: headers.get('ETag'),
  });
  expect(body.task.updated_at >= task.updated_at).toBe(true);
  expect(body.task.etag).not.toBe(task.etag);
  expect((await alice.ok('getTask', { id: task.id })).body).toEqual(body);
});

describe.each([
  ['description', null],
  ['workspace_id', null],
  ['due_date', null],
  ['assignee_id', null],
  ['status', 'todo'],
  ['priority', 'none'],
])('null for %s', (field, cleared) => {
  spec('updateTask', 200, `sets it to ${String(cleared)}`, async () => {
    const task = await createTask(alice, { [field]: 'something' });

    const { body } = await alice.ok('updateTask', { id: task.id, body: { [field]: null } });

    expect(body.task).toMatchObject({ [field]: cleared });
  });
});

spec('updateTask', 200, 'a fetched task that is sent back unchanged changes nothing', async () => {
  const task = await createTask(alice, { description: 'same', priority: 4 });

  const { body, headers } = await alice.ok('updateTask', { id: task.id, body: task });

  expect(body.task).toEqual(task);
  expect(headers.get('ETag')).toBe(task.etag);
  expect(await auditLog(alice, task.id)).toHaveLength(1);
});

spec(
  'updateTask',
  200,
  'the audit entry has the old and new value of each changed field, and no other field',
  async () => {
    const task = await createTask(alice, { title: 'Old', description: 'same', tags: 'x' });

    await alice.ok('updateTask', { id: task.id, body: { title: 'New', description: 'same', tags: null } });

    expect((await auditLog(alice, task.id))[1]).toEqual({
      action: 'update',
      payload: { changes: { title: { from: 'Old', to: 'New' }, tags: { from: 'x', to: null } } },
    });
  },
);

spec('updateTask', 200, 'a task can move from any status to any other', async () => {
  const task = await createTask(alice, { status: 'done' });

  for (const status of ['todo', 'cancelled', 'Wartet auf Antwort']) {
    const { body } = await alice.ok('updateTask', { id: task.id, body: { status } });
    expect(body.task.status).toBe(status);
  }
  expect(replay(await auditLog(alice, task.id))).toMatchObject({ status: 'Wartet auf Antwort' });
});

describe.each([
  ['{}', {}],
  ['no body', undefined],
  ['only unknown fields', { color: 'red' }],
  ['only read-only fields', { id: 'x', user_id: 'bob', created_at: 'now', updated_at: 'now' }],
])('%s', (_name, body) => {
  spec('updateTask', 400, 'is refused because it has no field to update', async () => {
    const task = await createTask(alice);

    const { body: problem } = await alice.fails('updateTask', 400, { id: task.id, body });

    expect(problem).toMatchObject({ code: 'No fields to update', error: 'No fields to update' });
  });
});

spec('updateTask', 400, 'a wrong field is refused and changes nothing', async () => {
  const task = await createTask(alice, { title: 'Stays' });

  const { body } = await alice.fails('updateTask', 400, {
    id: task.id,
    body: { title: null, status: 'done' },
  });

  expect(body.errors).toEqual([{ pointer: '/title', code: 'wrong_type', detail: 'Title must be a string.' }]);
  expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
});

spec('updateTask', 400, 'a wrong field of an unknown task is reported before the unknown task', async () => {
  await alice.fails('updateTask', 400, { id: 'nowhere', body: { title: 5 } });
});

spec('updateTask', 404, 'an unknown task is reported before an empty update', async () => {
  const { body } = await alice.fails('updateTask', 404, { id: 'nowhere', body: {} });

  expect(body.code).toBe('Task not found');
});

describe.each(['{etag}', 'W/{etag}', '"9", {etag}', '*'])('If-Match: %s', (tags) => {
  spec('updateTask', 200, 'allows the update while the task has that version', async () => {
    const task = await createTask(alice);

    const { body } = await alice.ok('updateTask', {
      id: task.id,
      body: { title: 'Mine' },
      headers: { 'If-Match': tags.replace('{etag}', task.etag) },
    });

    expect(body.task.title).toBe('Mine');
  });
});

describe.each(['"2"', 'W/"1"', '"abc"', '{bare}', ''])('If-Match: %s', (tags) => {
  spec('updateTask', 412, 'stops the update of another version, which changes nothing', async () => {
    const task = await createTask(alice);
    const headers = { 'If-Match': tags.replace('{bare}', task.etag.slice(1, -1)) };
    const change = { id: task.id, body: { title: 'Too late' }, headers };

    const { body } = await alice.fails('updateTask', 412, change);

    expect(body.code).toBe('Precondition failed');
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
    expect(await auditLog(alice, task.id)).toHaveLength(1);
  });
});

describe.each(['*', '{etag}', 'W/{etag}', '"9", {etag}'])('If-None-Match: %s', (tags) => {
  const headersFor = ({ etag }: { readonly etag: string }): Record<string, string> => ({
    'If-None-Match': tags.replace('{etag}', etag),
  });

  spec('updateTask', 412, 'stops the update of a task that matches, which changes nothing', async () => {
    const task = await createTask(alice);

    const { body } = await alice.fails('updateTask', 412, {
      id: task.id,
      body: { title: 'x' },
      headers: headersFor(task),
    });

    expect(body.detail).toMatch(/^The task matches If-None-Match/);
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  });

  spec('assignTask', 412, 'stops the assignment of a task that matches', async () => {
    const task = await createTask(alice);

    await alice.fails('assignTask', 412, {
      id: task.id,
      body: { assignee_id: 'bob' },
      headers: headersFor(task),
    });
  });

  spec('deleteTask', 412, 'stops the deletion of a task that matches', async () => {
    const task = await createTask(alice);

    await alice.fails('deleteTask', 412, { id: task.id, headers: headersFor(task) });
    await alice.ok('getTask', { id: task.id });
  });
});

spec('updateTask', 200, 'the etag of a task in a list is that of its If-Match', async () => {
  const { id } = await createTask(alice, { workspace_id: 'etags' });
  const { body } = await alice.ok('listTasks', { query: { workspace_id: 'etags' } });
  const headers = { 'If-Match': body.tasks[0]?.etag ?? '' };

  await alice.ok('updateTask', { id, body: { title: 'First' }, headers });
  await alice.fails('updateTask', 412, { id, body: { title: 'Second' }, headers });
});

spec('updateTask', 200, 'an If-None-Match of other versions allows the update', async () => {
  const { id } = await createTask(alice);

  await alice.ok('updateTask', { id, body: { title: 'x' }, headers: { 'If-None-Match': '"2", "3"' } });
});
