import { beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask } from '../support/tasks.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.as('alice');
});

spec('assignTask', 200, 'answers with the task itself, not wrapped', async () => {
  const task = await createTask(alice);
  const assignee = { assignee_type: 'human', assignee_id: 'bob', assignee_name: 'Bob' };

  const { body, headers } = await alice.ok('assignTask', { id: task.id, body: assignee });

  expect(body).toEqual({ ...task, ...assignee, updated_at: body.updated_at });
  expect(headers.get('ETag')).toBe('"2"');
});

spec(
  'assignTask',
  200,
  'takes an assignee without a type for a human, and forgets the name of the one before',
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

spec('assignTask', 200, 'changes only what is given when there is no id', async () => {
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

spec('assignTask', 200, 'ignores the other fields of a task', async () => {
  const task = await createTask(alice, { title: 'Same' });

  const { body } = await alice.ok('assignTask', {
    id: task.id,
    body: { assignee_id: 'bob', title: 'Other' },
  });

  expect(body.title).toBe('Same');
});

spec('assignTask', 200, 'is logged as assign with from and to', async () => {
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

spec('assignTask', 200, 'gives the assignee no rights', async () => {
  const task = await createTask(alice);
  await alice.ok('assignTask', { id: task.id, body: { assignee_id: 'bob' } });

  await (await server.as('bob')).fails('getTask', 403, { id: task.id });
});

describe.each([{}, { title: 'x' }])('the body %j', (body) => {
  spec('assignTask', 400, 'has no assignee fields, so there is nothing to update', async () => {
    const task = await createTask(alice);

    expect((await alice.fails('assignTask', 400, { id: task.id, body })).body.code).toBe(
      'No fields to update',
    );
  });
});

spec('assignTask', 400, 'refuses an assignee that is no text', async () => {
  const task = await createTask(alice);

  const { body } = await alice.fails('assignTask', 400, { id: task.id, body: { assignee_id: 7 } });

  expect(body.errors).toEqual([{ pointer: '/assignee_id', detail: 'must be string or null' }]);
});

spec('assignTask', 404, 'does not find an unknown task', async () => {
  await alice.fails('assignTask', 404, { id: 'nowhere', body: { assignee_id: 'bob' } });
});

spec('assignTask', 412, 'stops at another version than If-Match names', async () => {
  const task = await createTask(alice);

  await alice.fails('assignTask', 412, {
    id: task.id,
    body: { assignee_id: 'bob' },
    headers: { 'If-Match': '"5"' },
  });
});
