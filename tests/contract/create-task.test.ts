import { beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.as('alice');
});

describe('a new task', () => {
  spec('createTask', 201, 'has the defaults of the interface where the request says nothing', async () => {
    const { body, headers } = await alice.ok('createTask', { body: { title: 'Buy milk' } });

    expect(body.task).toEqual({
      id: expect.any(String),
      user_id: 'alice',
      workspace_id: null,
      title: 'Buy milk',
      description: null,
      status: 'todo',
      priority: 'none',
      assignee_id: null,
      assignee_type: null,
      assignee_name: null,
      due_date: null,
      tags: null,
      metadata: null,
      created_at: expect.any(String),
      updated_at: body.task.created_at,
    });
    expect(headers.get('Location')).toBe(`/api/tasks/${body.task.id}`);
    expect(headers.get('ETag')).toBe('"1"');
  });
});
