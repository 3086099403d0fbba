import { describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

const server = sharedServer();
const alice = await server.as('alice');

spec('getTask', 200, 'a task is found by its id in capital letters, and is wrapped in "task"', async () => {
  const task = await createTask(alice);

  expect((await alice.ok('getTask', { id: task.id.toUpperCase() })).body).toEqual({ task });
});

spec('updateTask', 200, 'the given fields change, and the audit log has those that differ', async () => {
  const task = await createTask(alice, { title: 'Before', description: 'kept', tags: 'a' });
  const fields = { title: 'After', description: 'kept', tags: null };

  const { body, headers } = await alice.ok('updateTask', { id: task.id, body: fields });

  const { updated_at, etag } = body.task;
  expect(body.task).toEqual({ ...task, ...fields, updated_at, etag: headers.get('ETag') });
  expect(updated_at >= task.updated_at).toBe(true);
  expect(etag).not.toBe(task.etag);
  expect((await alice.ok('getTask', { id: task.id })).body).toEqual(body);
  expect((await auditLog(alice, task.id))[1]).toEqual({
    action: 'update',
    payload: { changes: { title: { from: 'Before', to: 'After' }, tags: { from: 'a', to: null } } },
  });
});

spec('updateTask', 200, 'null clears a field, and resets status and priority to their defaults', async () => {
  const fields = ['description', 'workspace_id', 'due_date', 'assignee_id', 'status', 'priority'];
  const bodyOf = (value: string | null): object => Object.fromEntries(fields.map((field) => [field, value]));
  const { id } = await createTask(alice, bodyOf('something'));

  const { body } = await alice.ok('updateTask', { id, body: bodyOf(null) });

  expect(body.task).toMatchObject({ ...bodyOf(null), status: 'todo', priority: 'none' });
});

const bob = { assignee_id: 'bob', assignee_type: 'human', assignee_name: 'Bob' };

spec('assignTask', 200, 'the response is the task, not wrapped; the log has from and to', async () => {
  const task = await createTask(alice);

  const { body, headers } = await alice.ok('assignTask', { id: task.id, body: bob });

  expect(body).toEqual({ ...task, ...bob, updated_at: body.updated_at, etag: headers.get('ETag') });
  expect(body.etag).not.toBe(task.etag);
  const changes = Object.fromEntries(Object.entries(bob).map(([field, to]) => [field, { from: null, to }]));
  expect((await auditLog(alice, task.id))[1]).toEqual({ action: 'assign', payload: { changes } });
});

const nobody = { assignee_id: null, assignee_type: null, assignee_name: null };

describe.each([
  [
    'without a type makes it a human, and clears the previous name',
    { assignee_id: 'carol', assignee_type: 'agent', assignee_name: 'Carol' },
    { assignee_id: 'bob' },
    { ...bob, assignee_name: null },
  ],
  [
    'without an id changes only the given fields',
    bob,
    { assignee_name: 'Bobby' },
    { ...bob, assignee_name: 'Bobby' },
  ],
  ['with the id null clears all assignee fields', bob, { assignee_id: null, assignee_name: 'x' }, nobody],
  ['with an empty id clears all assignee fields', bob, { assignee_id: '', assignee_name: 'x' }, nobody],
  ['ignores other fields', { title: 'Same' }, { assignee_id: 'bob', title: 'Other' }, { title: 'Same' }],
])('an assignment %s', (_what, before, body, after) => {
  spec('assignTask', 200, 'in its response', async () => {
    const { id } = await createTask(alice, before);

    expect((await alice.ok('assignTask', { id, body })).body).toMatchObject(after);
  });
});

describe.each([
  ['updateTask', undefined],
  ['updateTask', {}],
  ['updateTask', { color: 'red' }],
  ['updateTask', { id: 'x', user_id: 'bob', created_at: 'now', updated_at: 'now', completed_at: 'now' }],
  ['assignTask', {}],
  ['assignTask', { title: 'x' }],
] as const)('%s with the body %j', (operation, body) => {
  spec(operation, 400, 'is refused because it has no field to update', async () => {
    const { id } = await createTask(alice);

    const { body: problem } = await alice.fails(operation, 400, { id, body });

    expect(problem).toMatchObject({ code: 'No fields to update', error: 'No fields to update' });
  });
});

spec('deleteTask', 200, 'no list has the task, and only its owner can read its log', async () => {
  const task = await createTask(alice, { workspace_id: 'to-delete' });

  expect((await alice.ok('deleteTask', { id: task.id })).body).toEqual({ id: task.id, deleted: true });

  const list = await alice.ok('listTasks', { query: { workspace_id: 'to-delete' } });
  expect(list.body).toEqual({ tasks: [], count: 0 });
  const log = await auditLog(alice, task.id);
  expect(log.map(({ action }) => action)).toEqual(['create', 'delete']);
  expect(log[1]?.payload).toEqual(task);
  expect((await alice.ok('listAuditLogs', { id: task.id, query: { offset: 100 } })).body).toEqual([]);
  await (await server.as('bob')).fails('listAuditLogs', 404, { id: task.id });
});

spec('deleteTask', 404, 'every operation on a deleted task but its audit log is a 404', async () => {
  const { id } = await createTask(alice);
  await alice.ok('createComment', { id, body: { body: 'Goes with it' } });
  await alice.ok('deleteTask', { id });

  await alice.fails('getTask', 404, { id });
  await alice.fails('updateTask', 404, { id, body: { title: 'x' } });
  await alice.fails('assignTask', 404, { id, body: { assignee_id: 'bob' } });
  await alice.fails('createComment', 404, { id, body: { body: 'x' } });
  await alice.fails('listComments', 404, { id });
  expect((await alice.fails('deleteTask', 404, { id })).body.code).toBe('Task not found');
});

spec('listAuditLogs', 200, 'the log has every change, oldest first, and its replay is the task', async () => {
  const { id } = await createTask(alice, { title: 'First', tags: 'x', due_date: '2026-12-01' });
  await alice.ok('updateTask', { id, body: { title: 'Second', tags: null } });
  await alice.ok('assignTask', { id, body: { assignee_id: 'bob' } });
  await alice.ok('createComment', { id, body: { body: 'Hm' } });
  await alice.ok('updateTask', { id, body: { title: 'Third', priority: 5 } });

  const log = await auditLog(alice, id);

  expect(log.map(({ action }) => action)).toEqual(['create', 'update', 'assign', 'comment', 'update']);
  const { task } = (await alice.ok('getTask', { id })).body;
  const { id: _id, user_id, created_at, updated_at, etag, ...written } = task;
  const unset = Object.fromEntries(Object.keys(written).map((name) => [name, null]));
  expect({ ...unset, ...replay(log) }).toEqual(written);
});

async function setStatus(id: string, status: string): Promise<Schemas['Task']> {
  return (await alice.ok('updateTask', { id, body: { status } })).body.task;
}

spec(
  'updateTask',
  200,
  'completed_at is when the status became done, else null, as the log says',
  async () => {
    const createdDone = await createTask(alice, { status: 'done' });
    const { id, completed_at: ofNew } = await createTask(alice);

    const done = await setStatus(id, 'done');
    const renamed = (await alice.ok('updateTask', { id, body: { title: 'Renamed' } })).body.task;
    const { body: assigned } = await alice.ok('assignTask', { id, body: { assignee_id: 'bob' } });
    const again = await setStatus(id, 'done');
    const reopened = await setStatus(id, 'todo');
    const second = await setStatus(id, 'done');

    expect(createdDone.completed_at).toBe(createdDone.created_at);
    expect((await alice.ok('getTask', { id: createdDone.id })).body.task).toEqual(createdDone);
    expect(ofNew).toBeNull();
    expect(done.completed_at).toBe(done.updated_at);
    for (const task of [renamed, assigned, again]) expect(task.completed_at).toBe(done.completed_at);
    expect(reopened.completed_at).toBeNull();
    expect(second.completed_at).toBe(second.updated_at);
    expect((await alice.ok('getTask', { id })).body.task).toEqual(second);
    const log = await auditLog(alice, id);
    const { completed_at } = second;
    expect(log.at(-2)?.payload).toMatchObject({ changes: { completed_at: { to: null } } });
    expect(replay(log)).toMatchObject({ status: 'done', completed_at });
  },
);
