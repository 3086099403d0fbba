import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/operation.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();
let client: Client;

beforeEach(async () => {
  client = await server.as(randomUUID());
});

async function changesAfter(
  after: string,
  query: Record<string, string> = {},
): Promise<Schemas['ChangeList']> {
  return (await client.ok('listChanges', { query: { after, ...query } })).body;
}

/** Waits until the changes are listed. Writes of other tests that began earlier delay this until they end. */
async function untilListed(count: number): Promise<void> {
  await expect.poll(async () => (await changesAfter('0')).changes.length).toBe(count);
}

describe('a change', () => {
  spec('listChanges', 200, 'has the etag of the task after it, which a comment does not change', async () => {
    const created = await createTask(client);
    const { id } = created;
    const updated = (await client.ok('updateTask', { id, body: { title: 'Renamed' } })).body.task;
    await client.ok('createComment', { id, body: { body: 'Oat milk' } });
    const { body: assigned } = await client.ok('assignTask', { id, body: { assignee_id: 'bob' } });
    await client.ok('deleteTask', { id });
    await untilListed(5);

    const { changes } = await changesAfter('0');

    expect(changes.map(({ etag }) => etag)).toEqual([
      created.etag,
      updated.etag,
      updated.etag,
      assigned.etag,
      null,
    ]);
    expect(changes.filter((change) => 'task' in change)).toEqual([]);
  });

  spec('listChanges', 200, 'has its task as it is now, or null, if the request includes tasks', async () => {
    const gone = await createTask(client);
    const { id } = await createTask(client, { description: 'Two litres', tags: 'food' });
    await client.ok('updateTask', { id, body: { workspace_id: 'work' } });
    await client.ok('deleteTask', { id: gone.id });
    await untilListed(4);
    const { task } = (await client.ok('getTask', { id })).body;

    const { changes } = await changesAfter('0', { include: 'task' });
    const ofWorkspace = await changesAfter('0', { include: 'task', workspace_id: 'work' });

    expect(changes.map((change) => change.task)).toEqual([null, task, task, null]);
    expect(ofWorkspace.changes.map((change) => change.task)).toEqual([task]);
  });

  spec('listChanges', 200, 'with large tasks ends its page', async () => {
    const large = { title: 'x', description: 'x'.repeat(65_000), metadata: 'y'.repeat(65_000) };
    const create = Array.from({ length: 7 }, () => large);
    for (let n = 0; n < 42; n += 7) await client.ok('batchTasks', { body: { create } });
    await untilListed(42);

    const { changes, next } = await changesAfter('0', { include: 'task' });
    const rest = await changesAfter(next, { include: 'task' });

    expect(changes.length).toBeLessThan(42);
    expect(changes.length + rest.changes.length).toBe(42);
  });

  spec('listChanges', 400, 'includes nothing else', async () => {
    const { body } = await client.fails('listChanges', 400, { query: { after: '0', include: 'comments' } });

    expect(body.errors?.[0]).toMatchObject({ pointer: '/query/include', code: 'not_one_of' });
  });
});
