import { describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createFiveTasks, createTask } from '../support/tasks.ts';

const server = sharedServer();

async function userWithTasks(user: string): Promise<Client> {
  const client = await server.as(user);
  await createFiveTasks(client);
  return client;
}

async function titles(client: Client, query: string | Record<string, string | number>): Promise<string[]> {
  const { body } = await client.ok('listTasks', { query });
  return body.tasks.map(({ title }) => title);
}

spec('listTasks', 200, 'the list of a user without tasks is empty', async () => {
  const { body, headers } = await (await server.as('nobody')).ok('listTasks');

  expect(body).toEqual({ tasks: [], count: 0 });
  expect(headers.get('Link')).toBeNull();
});

spec(
  'listTasks',
  200,
  'the list has only the tasks of the caller, newest first, each as getTask returns it',
  async () => {
    const alice = await userWithTasks('lister');
    await createTask(await server.as('somebody-else'), { title: 'Not yours' });

    const { body } = await alice.ok('listTasks');

    expect(body.count).toBe(5);
    expect(body.tasks.map(({ title }) => title)).toEqual(['100%_\\', 'desk', 'Car', 'bread', 'Apples']);
    const [newest] = body.tasks;
    expect((await alice.ok('getTask', { id: newest?.id })).body.task).toEqual(newest);
  },
);

spec('listTasks', 200, 'every character of a text is kept, and absent fields stay absent', async () => {
  const alice = await server.as('typist');
  const control = Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('');
  const odd = await createTask(alice, { title: `a${control}z`, description: '\u001f', tags: '😀\u001f,b' });
  const plain = await createTask(alice, { title: 'plain', metadata: '""' });

  const { body } = await alice.ok('listTasks');

  expect(body).toEqual({ tasks: [plain, odd], count: 2 });
});

describe.each([
  ['workspace_id=home', ['bread', 'Apples']],
  ['workspace_id=', ['100%_\\', 'desk', 'Car', 'bread', 'Apples']],
  ['status=done', ['bread']],
  ['status=done&status=blocked', ['Car', 'bread']],
  ['status=done&status=', ['bread']],
  ['workspace_id=home&status=todo', ['Apples']],
  ['priority=1', ['Car']],
  ['assignee_id=bob', ['desk']],
  ['unassigned=false', ['desk']],
  ['unassigned=true', ['100%_\\', 'Car', 'bread', 'Apples']],
  ['unassigned=true&workspace_id=home&status=todo', ['Apples']],
  ['unassigned=true&assignee_id=bob', []],
  ['assignee_type=agent', ['desk']],
  ['tag=food', ['bread', 'Apples']],
  ['tag=red', ['Apples']],
  ['tag=%20red%20', ['Apples']],
  ['tag=daily', ['bread']],
  ['due_before=2026-12-03', ['Apples']],
  ['due_after=2026-12-01', ['Car', 'Apples']],
  ['due_after=2026-12-03T06:00:00Z', ['Car']],
  ['due_after=2026-12-03T08:00%2B02:00', ['Car']],
  ['due_after=20261203T06', ['Car']],
  ['due_before=&due_after=2026-12-02', ['Car']],
  ['due_before=2026-12-03T06:00:00.000Z', ['Apples']],
  ['updated_since=2020-01-01', ['100%_\\', 'desk', 'Car', 'bread', 'Apples']],
  ['updated_since=2999-01-01T00:00:00Z', []],
  ['q=APPLES', ['Apples']],
  ['q=ends with', ['100%_\\']],
  ['q=%25_%5C', ['100%_\\']],
  ['q=_', ['100%_\\']],
  ['q=%27%3B drop table tasks%3B--', []],
  ['_cache=1&__proto__=x&status=done', ['bread']],
])('the query %s', (query, expected) => {
  spec('listTasks', 200, `matches ${JSON.stringify(expected)}`, async () => {
    const client = await userWithTasks(`filter ${query}`);

    const { body } = await client.ok('listTasks', { query });

    expect(body.tasks.map(({ title }) => title)).toEqual(expected);
    expect(body.count).toBe(expected.length);
  });
});

describe.each([
  ['created_at', ['Apples', 'bread', 'Car', 'desk', '100%_\\']],
  ['-created_at', ['100%_\\', 'desk', 'Car', 'bread', 'Apples']],
  ['updated_at', ['bread', 'Car', 'desk', '100%_\\', 'Apples']],
  ['-updated_at', ['Apples', '100%_\\', 'desk', 'Car', 'bread']],
  ['due_date', ['Apples', 'Car', 'bread', 'desk', '100%_\\']],
  ['-due_date', ['Car', 'Apples', '100%_\\', 'desk', 'bread']],
  ['title', ['100%_\\', 'Apples', 'bread', 'Car', 'desk']],
  ['-title', ['desk', 'Car', 'bread', 'Apples', '100%_\\']],
])('sort=%s', (sort, expected) => {
  spec('listTasks', 200, `orders ${JSON.stringify(expected)}`, async () => {
    const client = await userWithTasks(`sort ${sort}`);
    const { tasks } = (await client.ok('listTasks', { query: { q: 'Apples' } })).body;
    await client.ok('updateTask', { id: tasks[0]?.id, body: { priority: 'high' } });

    expect(await titles(client, { sort })).toEqual(expected);
  });
});
