import { beforeAll, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

let alice: Client;

beforeAll(async () => {
  const server = await startTestServer();
  alice = await server.as('alice');
});

spec('deleteTask', 200, 'answers with the id and takes the task out of every list', async () => {
  const task = await createTask(alice, { workspace_id: 'to-delete' });

  expect((await alice.ok('deleteTask', { id: task.id })).body).toEqual({ id: task.id, deleted: true });

  const list = await alice.ok('listTasks', { query: { workspace_id: 'to-delete' } });
  expect(list.body).toEqual({ tasks: [], count: 0 });
});

spec('deleteTask', 404, 'is not found the second time', async () => {
  const task = await createTask(alice);
  await alice.ok('deleteTask', { id: task.id });

  expect((await alice.fails('deleteTask', 404, { id: task.id })).body.code).toBe('Task not found');
});

spec('deleteTask', 200, 'leaves the audit log to its owner, with the last state of the task', async () => {
  const task = await createTask(alice, { title: 'Gone', tags: 'x' });
  await alice.ok('deleteTask', { id: task.id });

  const log = await auditLog(alice, task.id);

  expect(log.map(({ action }) => action)).toEqual(['create', 'delete']);
  expect(log[1]?.payload).toEqual(task);
});

spec('deleteTask', 404, 'makes every other operation on the id a 404', async () => {
  const { id } = await createTask(alice);
  await alice.ok('createComment', { id, body: { body: 'Goes with it' } });
  await alice.ok('deleteTask', { id });

  await alice.fails('getTask', 404, { id });
  await alice.fails('updateTask', 404, { id, body: { title: 'x' } });
  await alice.fails('assignTask', 404, { id, body: { assignee_id: 'bob' } });
  await alice.fails('createComment', 404, { id, body: { body: 'x' } });
  await alice.fails('listComments', 404, { id });
  await alice.fails('deleteTask', 404, { id });
});

spec('deleteTask', 412, 'stops at another version than If-Match names', async () => {
  const task = await createTask(alice);

  await alice.fails('deleteTask', 412, { id: task.id, headers: { 'If-Match': '"2"' } });

  expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);
  expect(await auditLog(alice, task.id)).toHaveLength(1);
});

spec('deleteTask', 200, 'goes ahead at the version that If-Match names', async () => {
  const task = await createTask(alice);

  await alice.ok('deleteTask', { id: task.id, headers: { 'If-Match': '"1"' } });
});

spec('deleteTask', 400, 'refuses a query parameter', async () => {
  const task = await createTask(alice);

  await alice.fails('deleteTask', 400, { id: task.id, query: { force: 'true' } });
});
