import { expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();

spec('countTasks', 200, 'has the number of tasks of each status and workspace, largest first', async () => {
  const client = await server.as('counter');
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

spec('countTasks', 200, 'of a user without tasks is zero', async () => {
  const { body } = await (await server.as('nobody')).ok('countTasks');

  expect(body).toEqual({ count: 0, by_status: [], by_workspace: [] });
});

spec('countTasks', 200, 'has the 1000 largest numbers of more workspaces, and counts all', async () => {
  const client = await server.as('counter-of-many');
  for (let n = 0; n < 1001; n += 91) {
    const create = Array.from({ length: 91 }, (_, i) => ({ title: 'x', workspace_id: `workspace ${n + i}` }));
    await client.ok('batchTasks', { body: { create } });
  }

  const { body } = await client.ok('countTasks');

  expect(body.count).toBe(1001);
  expect(body.by_workspace).toHaveLength(1000);
});
