import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/operations.ts';
import type { Answer, Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** A user with five tasks that differ in everything a list can filter by, created in this order. */
async function userWithTasks(user: string): Promise<Client> {
  const client = await server.as(user);
  await createTask(client, {
    title: 'Apples',
    workspace_id: 'home',
    tags: 'food,red',
    due_date: '2026-12-01',
  });
  await createTask(client, {
    title: 'bread',
    workspace_id: 'home',
    status: 'done',
    tags: '["food","daily"]',
  });
  await createTask(client, {
    title: 'Car',
    status: 'blocked',
    priority: 1,
    due_date: '2026-12-03T08:00:00+02:00',
  });
  await createTask(client, { title: 'desk', assignee_id: 'bob', assignee_type: 'agent', due_date: 'soon' });
  await createTask(client, { title: '100%_\\', description: 'Ends with ÄPPLE', tags: 'red meat' });
  return client;
}

async function titles(client: Client, query: string | Record<string, string | number>): Promise<string[]> {
  const { body } = await client.ok('listTasks', { query });
  return body.tasks.map(({ title }) => title);
}

spec('listTasks', 200, 'is empty for a user without tasks', async () => {
  const { body, headers } = await (await server.as('nobody')).ok('listTasks');

  expect(body).toEqual({ tasks: [], count: 0 });
  expect(headers.get('Link')).toBeNull();
});

spec(
  'listTasks',
  200,
  'lists the tasks of the caller alone, newest first, each as it can be fetched',
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

describe.each([
  ['workspace_id=home', ['bread', 'Apples']],
  ['workspace_id=', ['100%_\\', 'desk', 'Car', 'bread', 'Apples']],
  ['status=done', ['bread']],
  ['status=done&status=blocked', ['Car', 'bread']],
  ['status=done&status=', ['bread']],
  ['workspace_id=home&status=todo', ['Apples']],
  ['priority=1', ['Car']],
  ['assignee_id=bob', ['desk']],
  ['assignee_type=agent', ['desk']],
  ['tag=food', ['bread', 'Apples']],
  ['tag=red', ['Apples']],
  ['tag=daily', ['bread']],
  ['due_before=2026-12-03', ['Apples']],
  ['due_after=2026-12-01', ['Car', 'Apples']],
  ['due_after=2026-12-03T06:00:00Z', ['Car']],
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

describe('pages', () => {
  spec('listTasks', 200, 'are connected by Link, keep the filters, and count all matches', async () => {
    const client = await userWithTasks('pager');
    const query = { q: 'e', sort: 'title', limit: 1 };

    const first = await client.ok('listTasks', { query });
    const last = await client.ok('listTasks', { query: { ...query, offset: 3 } });

    expect(first.body).toMatchObject({ count: 4, tasks: [{ title: '100%_\\' }] });
    expect(first.headers.get('Link')).toBe('</api/tasks?sort=title&limit=1&offset=1&q=e>; rel="next"');
    expect(last.headers.get('Link')).toBe('</api/tasks?sort=title&limit=1&offset=2&q=e>; rel="prev"');
  });

  spec('listTasks', 200, 'reach every task once when one follows rel="next"', async () => {
    const client = await userWithTasks('follower');
    const seen: string[] = [];

    let query: string | undefined = 'limit=2&status=todo&status=done&status=blocked';
    while (query !== undefined) {
      const page: Answer<Schemas['TaskList']> = await client.ok('listTasks', { query });
      seen.push(...page.body.tasks.map(({ title }) => title));
      query = /<\/api\/tasks\?([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    }

    expect(seen).toEqual(['100%_\\', 'desk', 'Car', 'bread', 'Apples']);
  });

  spec('listTasks', 200, 'of limit 0 hold no task but the count', async () => {
    const client = await userWithTasks('counter');

    expect((await client.ok('listTasks', { query: { limit: 0 } })).body).toEqual({ tasks: [], count: 5 });
  });

  spec('listTasks', 200, 'beyond the end are empty and still count', async () => {
    const client = await userWithTasks('beyond');

    const { body } = await client.ok('listTasks', { query: { offset: 9_007_199_254_740_991 } });

    expect(body).toEqual({ tasks: [], count: 5 });
  });

  spec('listTasks', 200, 'with a limit above 1000 are as with 1000', async () => {
    const client = await userWithTasks('greedy');

    const { body } = await client.ok('listTasks', { query: { limit: 9_007_199_254_740_991 } });

    expect(body.tasks).toHaveLength(5);
  });
});

describe.each([
  ['limit=-1', '/query/limit', 'must be >= 0'],
  ['limit=1.5', '/query/limit', 'must be integer'],
  ['limit=', '/query/limit', 'must be integer'],
  ['limit=1e3', '/query/limit', 'must be integer'],
  ['limit=0x10', '/query/limit', 'must be integer'],
  ['limit=9007199254740992', '/query/limit', 'must be <= 9007199254740991'],
  ['offset=99999999999999999999999', '/query/offset', 'must be <= 9007199254740991'],
  ['limit=1&limit=2', '/query/limit', 'must be given only once'],
  ['q=a&q=b', '/query/q', 'must be given only once'],
  ['q=%00', '/query/q', 'must not contain NUL characters or lone surrogates'],
  [
    'sort=color',
    '/query/sort',
    'must be one of created_at, -created_at, updated_at, -updated_at, due_date, -due_date, title, -title',
  ],
  [
    'due_before=soon',
    '/query/due_before',
    'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z',
  ],
  [
    'due_after=2026-02-30',
    '/query/due_after',
    'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z',
  ],
  ['updated_since=0000-01-01', '/query/updated_since', 'must be a moment between the years 1 and 9999'],
])('the query %s', (query, pointer, detail) => {
  spec('listTasks', 400, `is refused at ${pointer}: ${detail}`, async () => {
    const alice = await server.as('alice');

    const { body } = await alice.fails('listTasks', 400, { query });

    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.errors).toEqual([{ pointer, detail }]);
  });
});

describe.each(['stauts', 'constructor', 'a/b~c'])('the unknown query parameter %s', (name) => {
  spec('listTasks', 400, 'is named, and the valid ones are listed', async () => {
    const alice = await server.as('alice');

    const { body } = await alice.fails('listTasks', 400, { query: `${encodeURIComponent(name)}=x` });

    expect(body.errors?.[0]?.pointer).toBe(`/query/${name.replace('~', '~0').replace('/', '~1')}`);
    expect(body.errors?.[0]?.detail).toContain('the query parameters are workspace_id, status, priority');
  });
});
