import { describe, expect, vi } from 'vitest';
import type { Request } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createFiveTasks, createTask } from '../support/tasks.ts';

type Sort = Request<'listTasks'>['query']['sort'];

const server = sharedServer();

const userWithTasks = async (name: string): Promise<Client> => createFiveTasks(await server.as(name));

const reader = await userWithTasks('reader');
const newestFirst = ['100%_\\', 'desk', 'Car', 'bread', 'Apples'];

/** Lists the titles of tasks. Asserts that `count` is the number of tasks. */
async function titles(client: Client, query: string | Record<string, string>): Promise<string[]> {
  const { body } = await client.ok('listTasks', { query });
  expect(body.count).toBe(body.tasks.length);
  return body.tasks.map(({ title }) => title);
}

spec('listTasks', 200, 'the list is newest first, with each task as getTask returns it', async () => {
  const { body } = await reader.ok('listTasks');

  expect(body.tasks.map(({ title }) => title)).toEqual(newestFirst);
  const [newest] = body.tasks;
  expect((await reader.ok('getTask', { id: newest?.id })).body.task).toEqual(newest);
});

spec('listTasks', 200, 'a list has no task of another user, not even by workspace or assignee', async () => {
  const mallory = await server.as('mallory');
  const assignee_id = server.userId('mallory');
  await createTask(await server.as('alice'), { workspace_id: 'common', assignee_id });

  for (const query of ['', 'workspace_id=common', `assignee_id=${assignee_id}`]) {
    const { body, headers } = await mallory.ok('listTasks', { query });
    expect([body, headers.get('Link')]).toEqual([{ tasks: [], count: 0 }, null]);
  }
});

spec('listTasks', 200, 'every character of a text is kept, and absent fields stay absent', async () => {
  const alice = await server.as('typist');
  const control = Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('');
  const odd = await createTask(alice, { title: `a${control}z`, description: '\u001f', tags: '😀\u001f,b' });
  const plain = await createTask(alice, { title: 'plain', metadata: '""' });

  expect((await alice.ok('listTasks')).body).toEqual({ tasks: [plain, odd], count: 2 });
});

describe.each([
  ['workspace_id=home', ['bread', 'Apples']],
  ['workspace_id=', newestFirst],
  ['status=done&status=blocked', ['Car', 'bread']],
  ['status=done&status=', ['bread']],
  ['workspace_id=home&status=todo', ['Apples']],
  ['workspace_id=home&workspace_id=none', ['bread', 'Apples']],
  ['priority=1', ['Car']],
  ['priority=1&priority=x&assignee_id=bob&assignee_id=', []],
  ['assignee_id=bob', ['desk']],
  ['unassigned=false', ['desk']],
  ['unassigned=true', ['100%_\\', 'Car', 'bread', 'Apples']],
  ['unassigned=true&workspace_id=home&status=todo', ['Apples']],
  ['unassigned=true&assignee_id=bob', []],
  ['assignee_type=agent', ['desk']],
  ['tag=food', ['bread', 'Apples']],
  ['tag=red', ['Apples']],
  ['tag=daily&tag=%20red', ['bread', 'Apples']],
  ['due_before=2026-12-03', ['Apples']],
  ['due_after=2026-12-01', ['Car', 'Apples']],
  ['due_after=2026-12-03T06:00:00Z', ['Car']],
  ['due_before=&due_after=2026-12-02', ['Car']],
  ['due_before=2026-12-03T06:00:00.000Z', ['Apples']],
  ['updated_since=2020-01-01', newestFirst],
  ['updated_since=2999-01-01T00:00:00Z', []],
  ['q=APPLES', ['Apples']],
  ['q=ends with', ['100%_\\']],
  ['q=%27%3B drop table tasks%3B--', []],
  ['_cache=1&__proto__=x&status=done', ['bread']],
])('the query %s', (query, expected) => {
  spec('listTasks', 200, `matches ${JSON.stringify(expected)}`, async () => {
    expect(await titles(reader, query)).toEqual(expected);
  });
});

spec('listTasks', 200, 'lists the tasks in each order', async () => {
  const client = await userWithTasks('sorter');
  const { tasks } = (await client.ok('listTasks', { query: { q: 'Apples' } })).body;
  await client.ok('updateTask', { id: tasks[0]?.id, body: { priority: 'high' } });
  const orders: Record<Exclude<Sort, `${'-' | ''}completed_at`>, string[]> = {
    created_at: newestFirst.toReversed(),
    '-created_at': newestFirst,
    updated_at: ['bread', 'Car', 'desk', '100%_\\', 'Apples'],
    '-updated_at': ['Apples', '100%_\\', 'desk', 'Car', 'bread'],
    due_date: ['Apples', 'Car', 'bread', 'desk', '100%_\\'],
    '-due_date': ['Car', 'Apples', '100%_\\', 'desk', 'bread'],
    priority: ['desk', 'Apples', '100%_\\', 'bread', 'Car'],
    '-priority': ['Car', 'bread', '100%_\\', 'Apples', 'desk'],
    title: ['100%_\\', 'Apples', 'bread', 'Car', 'desk'],
    '-title': ['desk', 'Car', 'bread', 'Apples', '100%_\\'],
  };

  const listed = Object.keys(orders).map(async (sort) => [sort, await titles(client, { sort })]);

  expect(Object.fromEntries(await Promise.all(listed))).toEqual(orders);
});

spec('listTasks', 200, 'a list is filtered and sorted by completion, with open tasks last', async () => {
  const client = await server.as('finisher');
  const times: string[] = [];
  for (const title of ['first', 'second', 'third']) {
    const { completed_at: at } = await createTask(client, { title, status: 'done' });
    times.push(at ?? '');
    // Waits for the next millisecond, so that all times differ.
    await vi.waitUntil(() => new Date().toISOString() > (at ?? ''), { interval: 1 });
  }
  await createTask(client, { title: 'open' });

  const [, second = ''] = times;
  const since = await titles(client, { completed_after: second, sort: 'completed_at' });
  expect(since).toEqual(['second', 'third']);
  expect(await titles(client, { completed_before: second })).toEqual(['first']);
  expect(await titles(client, { completed_after: second, completed_before: second })).toEqual([]);
  expect(await titles(client, { completed_before: '2999-01-01', status: 'todo' })).toEqual([]);
  expect(await titles(client, { sort: 'completed_at' })).toEqual(['first', 'second', 'third', 'open']);
  expect(await titles(client, { sort: '-completed_at' })).toEqual(['third', 'second', 'first', 'open']);
});

describe('pages', () => {
  spec('listTasks', 200, 'are connected by Link, keep the filters, and count all matches', async () => {
    const query = { q: 'e', sort: 'title', limit: 1 };

    const first = await reader.ok('listTasks', { query });
    const last = await reader.ok('listTasks', { query: { ...query, offset: 3 } });
    const short = await reader.ok('listTasks', { query: { limit: 5, offset: 3 } });

    expect(first.body).toMatchObject({ count: 4, tasks: [{ title: '100%_\\' }] });
    expect(first.headers.get('Link')).toMatch(
      /^<\/api\/tasks\?q=e&sort=title&limit=1&cursor=[\w-]+>; rel="next"$/,
    );
    expect(last.headers.get('Link')).toBe('</api/tasks?q=e&sort=title&limit=1&offset=2>; rel="prev"');
    // The limit is 3 instead of 5, so that the previous page does not overlap this one.
    expect(short.headers.get('Link')).toBe('</api/tasks?sort=-created_at&limit=3&offset=0>; rel="prev"');
  });

  spec('listTasks', 200, 'have no link that could be longer than 8,000 characters', async () => {
    const long = encodeURIComponent('長'.repeat(20));
    const query = (count: number): string => `limit=1&status=todo${`&status=${long}`.repeat(count)}`;

    const { body, headers } = await reader.ok('listTasks', { query: query(49) });
    const { headers: ofSecond } = await reader.ok('listTasks', { query: `${query(15)}&offset=1` });

    expect([body.tasks.length, body.count]).toEqual([1, 3]);
    expect(headers.get('Link')).toBeNull();
    expect(ofSecond.get('Link')).toMatch(/^<[^>]+>; rel="next"$/);
  });

  spec('listTasks', 200, 'of limit 0 and beyond the end have no task, only the count', async () => {
    for (const query of ['limit=0', 'offset=9007199254740991'])
      expect((await reader.ok('listTasks', { query })).body).toEqual({ tasks: [], count: 5 });
    expect((await reader.ok('listTasks', { query: { limit: 0 } })).headers.get('Link')).toBeNull();
  });
});
