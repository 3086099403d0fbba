import { expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { auditLog, createTask, replay } from '../support/tasks.ts';

const server = sharedServer();

spec('countTasks', 200, 'has the number of tasks of each status and workspace, largest first', async () => {
  const client = await server.as('counter');
  expect((await client.ok('countTasks')).body).toEqual({ count: 0, by_status: [], by_workspace: [] });
  await createTask(await server.as('neighbour'), { workspace_id: 'home' });
  for (const status of ['todo', 'todo', 'done']) await createTask(client, { workspace_id: 'home', status });
  await createTask(client, { status: 'done' });
  await createTask(client, { workspace_id: 'work', status: 'done' });

  const { body } = await client.ok('countTasks');

  expect(body).toEqual({
    count: 5,
    by_status: [
      { status: 'done', count: 3 },
      { status: 'todo', count: 2 },
    ],
    by_workspace: [
      { workspace_id: 'home', count: 3 },
      { workspace_id: null, count: 1 },
      { workspace_id: 'work', count: 1 },
    ],
  });
});

spec('countTasks', 200, 'counts the tasks that match both filters, and follows their changes', async () => {
  const client = await server.as('filtering-counter');
  const { id } = await createTask(client, { workspace_id: 'home' });
  await createTask(client, { workspace_id: 'work', status: 'blocked' });
  await createTask(client, { workspace_id: 'work', status: 'done' });
  await client.ok('updateTask', { id, body: { status: 'done' } });

  const ofWork = await client.ok('countTasks', { query: 'workspace_id=work&status=done&status=todo' });
  const ofDone = await client.ok('countTasks', { query: 'status=done&workspace_id=' });

  expect(ofWork.body).toEqual({
    count: 1,
    by_status: [{ status: 'done', count: 1 }],
    by_workspace: [{ workspace_id: 'work', count: 1 }],
  });
  expect(ofDone.body.by_workspace).toEqual([
    { workspace_id: 'home', count: 1 },
    { workspace_id: 'work', count: 1 },
  ]);
});

spec('countTasks', 200, 'has the 1000 workspaces with the most tasks, and counts all tasks', async () => {
  const client = await server.as('counter-of-many');
  for (let n = 0; n < 1001; n += 91) {
    const create = Array.from({ length: 91 }, (_, i) => ({ title: 'x', workspace_id: `workspace ${n + i}` }));
    await client.ok('batchTasks', { body: { create } });
  }

  const { body } = await client.ok('countTasks');

  expect(body.count).toBe(1001);
  expect(body.by_workspace).toHaveLength(1000);
});

const workspaces = ['home', 'work', null];
const statuses = ['todo', 'done', 'blocked'];
const lists = ['', 'workspace_id=home', 'workspace_id=work'].flatMap((workspace) =>
  ['', 'status=todo', 'status=done&status=blocked', 'status=done&status=done'].map(
    (status) => `${workspace}&${status}&limit=1000`,
  ),
);

/** The lists whose `count` differs from their number of tasks. Each list fits on one page. */
async function untrueCounts(client: Client): Promise<string[]> {
  const answers = await Promise.all(lists.map((query) => client.ok('listTasks', { query })));
  return answers.flatMap(({ body: { count, tasks } }, n) =>
    count === tasks.length ? [] : [`${lists[n] ?? ''}: ${count} for ${tasks.length}`],
  );
}

/** Creates tasks, and changes and deletes tasks, alone and in batches, while other workers do the same. */
async function hammer(client: Client, tasks: Schemas['Task'][], worker: number): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < 15; n += 1) {
    const place = { title: 'A task', workspace_id: workspaces[(worker + n) % 3], status: statuses[n % 3] };
    const other = { workspace_id: workspaces[n % 3], status: statuses[(worker + 2 * n) % 3] };
    const update = [1, 2].map((i) => ({ ...other, id: tasks.at(-i)?.id, title: `${worker} ${n}` }));
    const { body } = await client.ok('batchTasks', { body: { create: [place], update } });
    tasks.push(...body.create.flatMap(({ task }) => task ?? []));
    const changed = await client.send('updateTask', {
      id: tasks[(7 * n) % tasks.length]?.id,
      body: other,
    });
    const { id, etag = '' } = tasks[(5 * worker + 11 * n) % tasks.length] ?? {};
    const deleted = await client.send('deleteTask', {
      id,
      headers: n % 2 === 0 ? {} : { 'If-Match': etag },
    });
    seen.push(changed.status, deleted.status);
  }
  return seen;
}

it('counts and logs are correct even while six clients create, change and delete tasks', async () => {
  const client = await server.as('hammered');
  const tasks = [await createTask(client), await createTask(client)];

  const work = Array.from({ length: 6 }, (_, worker) => hammer(client, tasks, worker));
  const untrue: string[] = [];
  for (let n = 0; n < 5; n += 1) untrue.push(...(await untrueCounts(client)));
  const seen = new Set((await Promise.all(work)).flat());

  expect(untrue).toEqual([]);
  expect(await untrueCounts(client)).toEqual([]);
  expect(seen.difference(new Set([200, 404, 412]))).toEqual(new Set());
  for (const { id, title, status } of (await client.ok('listTasks', { query: { limit: 1000 } })).body.tasks)
    expect(replay(await auditLog(client, id))).toMatchObject({ title, status });
});
