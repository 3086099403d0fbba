import { describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { operations } from '../fuzz/requests.ts';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { allPages, nextQuery } from '../support/pages.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createFiveTasks, createTask } from '../support/tasks.ts';

const server = sharedServer();
const { parameters = [] } = operations.get('listTasks') ?? {};
const sorts = parameters.find(({ name }) => name === 'sort')?.schema.enum?.map(String) ?? [];

async function userWithTasks(name: string): Promise<Client> {
  const client = await server.as(name);
  await createFiveTasks(client);
  return client;
}

async function cursorOf(client: Client, query: string): Promise<string> {
  const next = nextQuery(await client.ok('listTasks', { query }));
  return new URLSearchParams(next).get('cursor') ?? '';
}

describe.each(sorts)('a list by %s', (sort) => {
  spec('listTasks', 200, 'has every task once, in its order, when a client follows the cursors', async () => {
    const client = await userWithTasks(`sorted ${sort}`);
    await createTask(client, { title: 'CAR', due_date: '2026-12-03T06:00:00Z' });
    const all = await client.ok('listTasks', { query: { sort } });

    const pages = await allPages(client, 'listTasks', { query: { sort, limit: 1 } });

    expect(pages.flatMap(({ tasks }) => tasks)).toEqual(all.body.tasks);
    expect(pages.map(({ count }) => count)).toEqual([6, 6, 6, 6, 6, 6]);
  });

  spec('listTasks', 200, 'skips no task while visited tasks are deleted', async () => {
    const client = await userWithTasks(`deleted ${sort}`);
    const query = { sort, limit: 2 };

    const pages = await allPages(client, 'listTasks', { query }, async ({ tasks }) => {
      for (const { id } of tasks) await client.ok('deleteTask', { id });
    });

    expect(pages.map(({ tasks }) => tasks.length)).toEqual([2, 2, 1]);
  });
});

describe('a cursor', () => {
  spec('listTasks', 200, 'skips no task while visited tasks leave the filter', async () => {
    const client = await userWithTasks('finisher');
    for (let n = 0; n < 4; n += 1) await createTask(client);

    const query = { status: 'todo', limit: 2 };
    const pages = await allPages(client, 'listTasks', { query }, async ({ tasks }) => {
      for (const { id } of tasks) await client.ok('updateTask', { id, body: { status: 'done' } });
    });

    expect(new Set(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id))).size).toBe(7);
    expect((await client.ok('listTasks', { query })).body.count).toBe(0);
  });

  spec('listTasks', 200, 'is kept in lists by tag, by workspace and by text', async () => {
    const client = await userWithTasks('filterer');

    for (const query of [
      'tag=food&limit=1',
      'workspace_id=home&limit=1',
      'q=e&limit=1',
      'tag=food&sort=title&limit=1',
    ]) {
      const pages = await allPages(client, 'listTasks', { query });
      expect(new Set(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id))).size).toBe(pages[0]?.count);
      expect(pages).toHaveLength(pages[0]?.count ?? NaN);
    }
  });

  spec('listTasks', 200, 'may follow a page by offset, and allows another limit', async () => {
    const client = await userWithTasks('mixer');
    const cursor = await cursorOf(client, 'limit=1&offset=2');

    const { body } = await client.ok('listTasks', { query: { cursor, limit: 10 } });

    expect(body.tasks.map(({ title }) => title)).toEqual(['bread', 'Apples']);
  });

  spec('listTasks', 400, 'of other filters, another order or another user is refused', async () => {
    const client = await userWithTasks('owner');
    const other = await userWithTasks('other');
    const cursor = await cursorOf(client, 'limit=1');

    for (const query of [{ q: 'e' }, { sort: 'title' }, { status: 'todo' }, { sort: 'created_at' }]) {
      const { body } = await client.fails('listTasks', 400, { query: { ...query, cursor } });
      expect(body.errors?.[0]?.pointer).toBe('/query/cursor');
    }
    const { body } = await other.fails('listTasks', 400, { query: { cursor } });
    expect(body.detail).toMatch(
      /The query parameter "cursor" must be the cursor of a Link header of this list/,
    );
  });

  spec('listTasks', 400, 'that is damaged at any character is refused', async () => {
    const client = await userWithTasks('damager');
    const cursor = await cursorOf(client, 'limit=1');

    for (let n = 0; n < cursor.length; n += 1) {
      const damaged = `${cursor.slice(0, n)}${cursor[n] === 'x' ? 'y' : 'x'}${cursor.slice(n + 1)}`;
      await client.fails('listTasks', 400, { query: { cursor: damaged } });
    }
    await client.fails('listTasks', 400, { query: { cursor: cursor.slice(1) } });
  });
});

describe('an iteration of the SDK', () => {
  it('visits every task once while the loop changes what the filter selects', async () => {
    await userWithTasks('sdk user');
    const { tasks } = createClient({ baseUrl: server.url, token: await server.token('sdk user') });
    const titles: string[] = [];

    for await (const { id, title } of tasks.list({ status: ['todo', 'blocked'], limit: 1, sort: 'title' })) {
      titles.push(title);
      await tasks.update(id, { status: 'done' });
    }

    expect(titles).toEqual(['100%_\\', 'Apples', 'Car', 'desk']);
  });
});

describe('the other lists', () => {
  spec('listComments', 200, 'comments have pages by cursor', async () => {
    const client = await server.as('commenter');
    const { id } = await createTask(client);
    for (const body of ['a', 'b', 'c']) await client.ok('createComment', { id, body: { body } });

    const pages = await allPages(client, 'listComments', { id, query: { limit: 2 } });

    expect(pages.map((page) => page.map(({ body }) => body))).toEqual([['a', 'b'], ['c']]);
  });

  spec('listAuditLogs', 200, 'the audit log has pages by cursor, also of a deleted task', async () => {
    const client = await server.as('auditor');
    const { id } = await createTask(client);
    await client.ok('updateTask', { id, body: { title: 'Changed' } });

    const pages = await allPages(client, 'listAuditLogs', { id, query: { limit: 1 } }, async ([entry]) => {
      if (entry?.action === 'create') await client.ok('deleteTask', { id });
    });

    expect(pages.flat().map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  });

  spec('listAgents', 200, 'agents have pages by cursor', async () => {
    const client = await server.as('agency');
    for (const name of ['One', 'Two', 'Three']) await createAgent(client, { name });

    const pages = await allPages(client, 'listAgents', { query: { limit: 2 } });

    expect(pages.map(({ agents }) => agents.map(({ name }) => name))).toEqual([['Three', 'Two'], ['One']]);
  });

  spec('listMessages', 200, 'messages have pages by cursor, also after a message', async () => {
    const client = await server.as('talker');
    await runAgent(client, await createAgent(client), 'list my tasks', { context: { session_id: 's' } });
    const all = await messagesOf(client, 's');
    const after = all[0]?.id ?? '';

    const pages = await allPages(client, 'listMessages', { id: 's', query: { limit: 1 } });
    const rest = await allPages(client, 'listMessages', { id: 's', query: { after, limit: 1 } });

    expect(pages.flatMap(({ messages }) => messages)).toEqual(all);
    expect(rest.flatMap(({ messages }) => messages)).toEqual(all.slice(1));
  });

  it.each(['listComments', 'listAuditLogs'] as const)(
    '%s refuses a cursor of another task',
    async (operation) => {
      const client = await server.as(`user of ${operation}`);
      const [one, two] = [await createTask(client), await createTask(client)];
      for (const { id } of [one, two]) {
        await client.ok('createComment', { id, body: { body: 'first' } });
        await client.ok('createComment', { id, body: { body: 'second' } });
      }
      const query = nextQuery(await client.ok(operation, { id: one.id, query: { limit: 1 } }));

      const { body } = await client.fails(operation, 400, { id: two.id, query });

      expect(body.errors?.[0]?.pointer).toBe('/query/cursor');
    },
  );
});
