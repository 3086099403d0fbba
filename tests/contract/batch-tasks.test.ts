import { describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { unknownId } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

type Task = Schemas['Task'];

const server = sharedServer();

const alice = await server.as('alice');

async function read(client: Client, id: string): Promise<Task> {
  return (await client.ok('getTask', { id })).body.task;
}

describe('a batch', () => {
  spec('batchTasks', 200, 'creates, updates and deletes tasks, each with its audit entry', async () => {
    const client = await server.as('batcher');
    const moved = await createTask(client, { title: 'Move', status: 'todo', tags: 'a' });
    const gone = await createTask(client, { title: 'Delete', status: 'todo' });
    const body = {
      create: [
        { title: 'One', tags: 'x' },
        { title: 'Two', workspace_id: 'home', status: 'done' },
      ],
      update: [{ id: moved.id.toUpperCase(), if_match: moved.etag, status: 'done', tags: 'a,b' }],
      delete: [{ id: gone.id }],
    };

    const { body: results } = await client.ok('batchTasks', { body });

    expect(results.create.map(({ status, task }) => [status, task?.title])).toEqual([
      [201, 'One'],
      [201, 'Two'],
    ]);
    expect(results.update).toMatchObject([
      { status: 200, task: { id: moved.id, title: 'Move', status: 'done', tags: 'a,b' }, error: null },
    ]);
    expect(results.delete).toEqual([{ status: 200, task: null, error: null }]);
    for (const task of [...results.create, ...results.update].map((result) => result.task))
      expect(await read(client, task?.id ?? '')).toEqual(task);
    await client.fails('getTask', 404, { id: gone.id });
    const log = await auditLog(client, moved.id);
    expect(log.map(({ action }) => action)).toEqual(['create', 'update']);
    expect(replay(log)).toMatchObject({ status: 'done', tags: 'a,b' });
    expect((await client.ok('listTasks', { query: { tag: 'b' } })).body.count).toBe(1);
  });

  spec('batchTasks', 200, 'writes nothing of a refused operation, and all of the others', async () => {
    const tasks = await Promise.all([1, 2, 3, 4].map(() => createTask(alice)));
    const [task, equal, unchanged, kept] = tasks as [Task, Task, Task, Task];
    const foreign = await createTask(await server.as('bob'), { title: 'Private' });
    const body = {
      update: [
        equal,
        { id: unchanged.id },
        { id: task.id, if_match: '"another"', title: 'Too late' },
        { id: foreign.id, title: 'Mine' },
        { id: unknownId, title: 'x' },
        { id: 'no-uuid', title: 'x' },
      ],
      create: [{ title: 'Created' }],
      delete: [{ id: kept.id, if_match: task.etag }],
    };

    const { body: results } = await alice.ok('batchTasks', { body });

    expect(results.update[0]).toEqual({ status: 200, task: equal, error: null });
    expect(results.update.slice(1).map(({ status, error }) => [status, error?.code])).toEqual([
      [400, 'No fields to update'],
      [412, 'Precondition failed'],
      [403, 'Access denied'],
      [404, 'Task not found'],
      [404, 'Task not found'],
    ]);
    expect(results.create[0]?.status).toBe(201);
    expect(results.delete[0]).toMatchObject({ status: 412, task: null });
    for (const each of tasks) {
      expect(await read(alice, each.id)).toEqual(each);
      expect(await auditLog(alice, each.id)).toHaveLength(1);
    }
    expect((await read(await server.as('bob'), foreign.id)).title).toBe('Private');
  });

  spec('batchTasks', 200, 'is replayed under its key, even if everything was refused', async () => {
    const refused = {
      body: { delete: [{ id: unknownId }] },
      headers: { 'Idempotency-Key': 'refused batch' },
    };

    const first = await alice.ok('batchTasks', refused);
    const again = await alice.ok('batchTasks', refused);

    expect(first.body.delete[0]?.status).toBe(404);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });
});

const creations = (length: number, tags = ''): object[] =>
  Array.from({ length }, () => ({ title: 'x', tags }));
const deletions = Array.from({ length: 50 }, (_, n) => ({ id: `${n}` }));

describe.each([
  ['without operations', {}, '', 'required'],
  ['with 101 creations', { create: creations(101) }, '/create', 'too_many'],
  ['with 101 operations in all', { create: creations(51), delete: deletions }, '', 'too_many'],
  ['with 1,050 tags', { create: creations(21, [...Array(50).keys()].join()) }, '', 'too_many'],
  [
    'that names a task twice',
    { update: [{ id: unknownId, title: 'x' }], delete: [{ id: unknownId.toUpperCase() }] },
    '/delete/0/id',
    'conflicting',
  ],
])('a batch %s', (_name, body, pointer, code) => {
  spec('batchTasks', 400, 'is refused as a whole', async () => {
    const client = await server.as('refused-batcher');

    const answer = await client.fails('batchTasks', 400, { body });

    expect(answer.body.errors).toMatchObject([{ pointer, code }]);
    expect((await client.ok('listTasks')).body.count).toBe(0);
  });
});

describe('a batch of tasks with much text', () => {
  const long = { title: 'x', description: 'é'.repeat(32_000), metadata: 'y'.repeat(64_000) };
  // The number of these tasks that fit into 1 MiB of text.
  const number = 8;

  spec(
    'batchTasks',
    413,
    'is executed up to 1 MiB of texts, sent or deleted, and otherwise changes nothing',
    async () => {
      const client = await server.as('long-batcher');
      const created = await client.ok('batchTasks', {
        body: { create: Array.from({ length: number }, () => long) },
      });
      const update = created.body.create.map(({ task }) => ({ id: task?.id ?? '', title: 'Renamed' }));
      const updated = await client.ok('batchTasks', { body: { update } });
      const tasks = updated.body.update.flatMap(({ task }) => task ?? []);
      const create = [{ title: 'Another', metadata: 'x'.repeat(30_000) }];

      const { body } = await client.fails('batchTasks', 413, {
        body: { update: update.map(({ id }) => ({ id, title: 'Again' })), create },
      });

      expect(tasks).toHaveLength(number);
      expect(body.detail).toMatch(/^The tasks of this batch and their changes have more than 1048576 bytes/);
      for (const task of tasks) expect((await client.ok('getTask', { id: task.id })).body.task).toEqual(task);
      const deletions = [...tasks, await createTask(client, long)].map(({ id }) => ({ id }));
      await client.fails('batchTasks', 413, { body: { delete: deletions } });
      expect((await client.ok('listTasks')).body.count).toBe(number + 1);
    },
  );
});
