import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const bob = { assignee_id: 'bob', assignee_type: 'human', assignee_name: 'Bob' };

spec('assignTask', 200, 'the response is the task itself, not wrapped', async () => {
  const task = await createTask(alice);

  const { body, headers } = await alice.ok('assignTask', { id: task.id, body: bob });

  expect(body).toEqual({ ...task, ...bob, updated_at: body.updated_at, etag: headers.get('ETag') });
  expect(body.etag).not.toBe(task.etag);
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

spec('assignTask', 200, 'the audit entry is assign with from and to', async () => {
  const task = await createTask(alice);

  await alice.ok('assignTask', { id: task.id, body: { assignee_id: 'bob', assignee_name: 'Bob' } });

  const changes = Object.fromEntries(Object.entries(bob).map(([field, to]) => [field, { from: null, to }]));
  expect((await auditLog(alice, task.id))[1]).toEqual({ action: 'assign', payload: { changes } });
});

spec('assignTask', 400, 'an assignee that is not a string is refused', async () => {
  const task = await createTask(alice);

  const { body } = await alice.fails('assignTask', 400, { id: task.id, body: { assignee_id: 7 } });

  const detail = 'Assignee id must be a string or null.';
  expect(body.errors).toEqual([{ pointer: '/assignee_id', code: 'wrong_type', detail }]);
});
