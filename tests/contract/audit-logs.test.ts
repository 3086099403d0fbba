import { expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

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

spec('listAuditLogs', 404, 'the log of a deleted task is returned only to its owner', async () => {
  const { id } = await createTask(alice);
  await alice.ok('deleteTask', { id });

  await (await server.as('bob')).fails('listAuditLogs', 404, { id });
  expect((await alice.ok('listAuditLogs', { id, query: { offset: 100 } })).body).toEqual([]);
});
