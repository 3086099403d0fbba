import { describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();

describe('a batch of tasks with much text', () => {
  const long = { title: 'x', description: 'é'.repeat(32_000), metadata: 'y'.repeat(64_000) };
  // How many such tasks fit into 1 MiB of text.
  const number = 8;

  async function createLong(client: Client): Promise<Schemas['Task'][]> {
    const { body } = await client.ok('batchTasks', {
      body: { create: Array.from({ length: number }, () => long) },
    });
    return body.create.flatMap(({ task }) => task ?? []);
  }

  spec('batchTasks', 200, 'is done up to 1 MiB', async () => {
    const client = await server.as('long-batcher');
    const update = (await createLong(client)).map(({ id }) => ({ id, title: 'Renamed' }));

    const { body } = await client.ok('batchTasks', { body: { update } });

    expect(body.update.map(({ status }) => status)).toEqual(update.map(() => 200));
  });

  spec('batchTasks', 413, 'changes nothing above 1 MiB, with the texts of the request', async () => {
    const client = await server.as('large-batcher');
    const tasks = await createLong(client);
    const update = tasks.map(({ id }) => ({ id, title: 'Renamed' }));
    const create = [{ title: 'Another', metadata: 'x'.repeat(30_000) }];

    const { body } = await client.fails('batchTasks', 413, { body: { update, create } });

    expect(body.detail).toMatch(/^The tasks of this batch and their changes have more than 1048576 bytes/);
    for (const task of tasks) expect((await client.ok('getTask', { id: task.id })).body.task).toEqual(task);
    expect((await client.ok('listTasks')).body.count).toBe(number);
  });

  spec('batchTasks', 413, 'changes nothing above 1 MiB, if it deletes the tasks', async () => {
    const client = await server.as('large-deleter');
    const deletions = [...(await createLong(client)), await createTask(client, long)].map(({ id }) => ({
      id,
    }));

    await client.fails('batchTasks', 413, { body: { delete: deletions } });

    expect((await client.ok('listTasks')).body.count).toBe(number + 1);
  });
});
