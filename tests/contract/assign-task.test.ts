import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

spec('assignTask', 200, 'the response is the task itself, not wrapped', async () => {
  const task = await createTask(alice);
  const assignee = { assignee_type: 'human', assignee_id: 'bob', assignee_name: 'Bob' };

  const { body, headers } = await alice.ok('assignTask', { id: task.id, body: assignee });

  expect(body).toEqual({ ...task, ...assignee, updated_at: body.updated_at, etag: headers.get('ETag') });
  expect(body.etag).not.toBe(task.etag);
});

spec(
  'assignTask',
  200,
  'an assignee without a type is a human, and the previous name is cleared',
  async () => {
    const task = await createTask(alice, {
      assignee_id: 'carol',
      assignee_type: 'agent',
      assignee_name: 'Carol',
    });

    const { body } = await alice.ok('assignTask', { id: task.id, body: { assignee_id: 'bob' } });

    expect(body).toMatchObject({ assignee_id: 'bob', assignee_type: 'human', assignee_name: null });
  },
);

spec('assignTask', 200, 'a request without an id changes only the given fields', async () => {
  const task = await createTask(alice, { assignee_id: 'bob', assignee_type: 'human', assignee_name: 'Bob' });

  const { body } = await alice.ok('assignTask', { id: task.id, body: { assignee_name: 'Bobby' } });

  expect(body).toMatchObject({ assignee_id: 'bob', assignee_type: 'human', assignee_name: 'Bobby' });
});

describe.each([null, ''])('the assignee_id %j', (cleared) => {
  spec('assignTask', 200, 'clears all three assignee fields', async () => {
    const task = await createTask(alice, {
      assignee_id: 'bob',
      assignee_type: 'human',
      assignee_name: 'Bob',
    });

    const { body } = await alice.ok('assignTask', {
      id: task.id,
      body: { assignee_id: cleared, assignee_name: 'x' },
    });

    expect(body).toMatchObject({ assignee_id: null, assignee_type: null, assignee_name: null });
  });
});

spec('assignTask', 200, 'other fields of a task are ignored', async () => {
  const task = await createTask(alice, { title: 'Same' });

  const { body } = await alice.ok('assignTask', {
    id: task.id,
    body: { assignee_id: 'bob', title: 'Other' },
  });

  expect(body.title).toBe('Same');
});

spec('assignTask', 200, 'the audit entry is assign with from and to', async () => {
  const task = await createTask(alice);

  await alice.ok('assignTask', { id: task.id, body: { assignee_id: 'bob', assignee_name: 'Bob' } });

  expect((await auditLog(alice, task.id))[1]).toEqual({
    action: 'assign',
    payload: {
      changes: {
        assignee_id: { from: null, to: 'bob' },
        assignee_type: { from: null, to: 'human' },
        assignee_name: { from: null, to: 'Bob' },
      },
    },
  });
});

spec('assignTask', 200, 'an assignee has no access to the task', async () => {
  const task = await createTask(alice);
  await alice.ok('assignTask', { id: task.id, body: { assignee_id: server.userId('bob') } });

  await (await server.as('bob')).fails('getTask', 403, { id: task.id });
});

describe.each([{}, { title: 'x' }])('the body %j', (body) => {
  spec('assignTask', 400, 'is refused because it has no assignee field', async () => {
    const task = await createTask(alice);

    expect((await alice.fails('assignTask', 400, { id: task.id, body })).body.code).toBe(
      'No fields to update',
    );
  });
});

spec('assignTask', 400, 'an assignee that is not a string is refused', async () => {
  const task = await createTask(alice);

  const { body } = await alice.fails('assignTask', 400, { id: task.id, body: { assignee_id: 7 } });

  expect(body.errors).toEqual([
    { pointer: '/assignee_id', code: 'wrong_type', detail: 'Assignee id must be a string or null.' },
  ]);
});

spec('assignTask', 404, 'an unknown task is not found', async () => {
  await alice.fails('assignTask', 404, { id: 'nowhere', body: { assignee_id: 'bob' } });
});

spec('assignTask', 412, 'an If-Match of another version stops the assignment', async () => {
  const task = await createTask(alice);

  await alice.fails('assignTask', 412, {
    id: task.id,
    body: { assignee_id: 'bob' },
    headers: { 'If-Match': '"5"' },
  });
});
