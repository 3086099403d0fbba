import { expect } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';
import type { Client } from '../support/client.ts';

const tasksMax = 3;
const sentence =
  'The body must not add a task to the 3 that this server keeps for a user; delete some first.';

const server = await startTestServer({ env: { MAX_TASKS_PER_USER: String(tasksMax) } });

/** A user with the maximum number of tasks. */
async function fullUser(name: string): Promise<{ full: Client; ids: string[] }> {
  const full = await server.as(name);
  const tasks = [await createTask(full), await createTask(full), await createTask(full)];
  return { full, ids: tasks.map(({ id }) => id) };
}

async function countOf(client: Client): Promise<number> {
  return (await client.ok('listTasks', { query: 'limit=0' })).body.count;
}

spec('createTask', 400, 'a create above the limit of tasks writes nothing, and says what to do', async () => {
  const { full, ids } = await fullUser('full');

  const { body } = await full.fails('createTask', 400, { body: { title: 'One more', tags: 'more' } });

  expect(body).toMatchObject({
    code: 'VALIDATION_ERROR',
    detail: sentence,
    errors: [{ pointer: '', code: 'too_many', detail: sentence }],
  });
  expect(await countOf(full)).toBe(tasksMax);
  expect((await full.ok('listChanges', { query: { after: '0' } })).body.changes).toHaveLength(tasksMax);
  await full.ok('updateTask', { id: ids[0] ?? '', body: { title: 'Changed' } });
  await createTask(await server.as('another'));
});

spec('createTask', 201, 'a create that was accepted below the limit is replayed at the limit', async () => {
  const replaying = await server.as('replaying');
  const request = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'once' } };
  const first = await replaying.ok('createTask', request);
  await createTask(replaying);
  await createTask(replaying);

  expect((await replaying.ok('createTask', request)).body).toEqual(first.body);
});

spec('batchTasks', 400, 'a batch above the limit changes nothing; one that replaces succeeds', async () => {
  const { full, ids } = await fullUser('batching');
  const [id = ''] = ids;
  const create = [{ title: 'New' }, { title: 'Newer' }];

  const { body } = await full.fails('batchTasks', 400, { body: { create, delete: [{ id }] } });
  expect(body.detail).toBe(sentence);
  await full.ok('getTask', { id });

  await full.ok('batchTasks', { body: { create: create.slice(1), delete: [{ id }] } });
  expect(await countOf(full)).toBe(tasksMax);
});

spec('createTask', 400, 'creates and batches at the same time never exceed the limit', async () => {
  const many = await server.as('many');
  const create = [{ title: 'x' }, { title: 'y' }];

  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0
        ? many.send('createTask', { body: { title: 'x' } })
        : many.send('batchTasks', { body: { create } }),
    ),
  );

  expect(await countOf(many)).toBe(tasksMax);
  await many.fails('createTask', 400, { body: { title: 'x' } });
});
