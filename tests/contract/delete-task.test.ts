import { expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const alice = await sharedServer().as('alice');

spec('deleteTask', 200, 'the response has the id, and no list has the task any more', async () => {
  const task = await createTask(alice, { workspace_id: 'to-delete' });

  expect((await alice.ok('deleteTask', { id: task.id })).body).toEqual({ id: task.id, deleted: true });

  const list = await alice.ok('listTasks', { query: { workspace_id: 'to-delete' } });
  expect(list.body).toEqual({ tasks: [], count: 0 });
});

spec('deleteTask', 200, 'the owner can still read the audit log, with the last state', async () => {
  const task = await createTask(alice, { title: 'Gone', tags: 'x' });
  await alice.ok('deleteTask', { id: task.id });

  const log = await auditLog(alice, task.id);

  expect(log.map(({ action }) => action)).toEqual(['create', 'delete']);
  expect(log[1]?.payload).toEqual(task);
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
