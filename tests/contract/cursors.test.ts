import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../server/src/lib/cursor.ts';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import type { Client, Input } from '../support/client.ts';
import { allPages, nextQuery } from '../support/pages.ts';
import { sharedServer } from '../support/server.ts';
import { allOperations } from '../support/contract.ts';
import { requests, unknownId } from '../support/requests.ts';
import { spec } from '../support/spec.ts';
import { createFiveTasks, createTask, sorts } from '../support/tasks.ts';

const server = sharedServer();

const userWithTasks = async (name: string): Promise<Client> => createFiveTasks(await server.as(name));

const reader = await userWithTasks('reader');
await createTask(reader, { title: 'CAR', due_date: '2026-12-03T06:00:00Z', status: 'done' });

async function cursorOf(client: Client, query: string): Promise<string> {
  const next = nextQuery(await client.ok('listTasks', { query }));
  return new URLSearchParams(next).get('cursor') ?? '';
}

describe.each(sorts)('a list by %s', (sort) => {
  spec('listTasks', 200, 'has every task once, in its order, when a client follows the cursors', async () => {
    const all = await reader.ok('listTasks', { query: { sort } });

    const pages = await allPages(reader, 'listTasks', { query: { sort, limit: 1 } });

    expect(pages.flatMap(({ tasks }) => tasks)).toEqual(all.body.tasks);
    expect(pages.map(({ count }) => count)).toEqual([6, 6, 6, 6, 6, 6]);
  });

  spec('listTasks', 200, 'skips no task while visited tasks are deleted', async () => {
    const client = await userWithTasks(`deleted ${sort}`);

    const pages = await allPages(client, 'listTasks', { query: { sort, limit: 2 } }, async ({ tasks }) => {
      for (const { id } of tasks) await client.ok('deleteTask', { id });
    });

    expect(pages.map(({ tasks }) => tasks.length)).toEqual([2, 2, 1]);
  });
});

describe('a cursor', () => {
  spec('listTasks', 200, 'works in lists by tag, by workspace, by statuses and by text', async () => {
    const filters = [
      'tag=food',
      'workspace_id=home',
      'status=todo&status=done',
      'q=e',
      'tag=food&sort=title',
    ];
    for (const filter of filters) {
      const pages = await allPages(reader, 'listTasks', { query: `${filter}&limit=1` });
      expect(new Set(pages.flatMap(({ tasks }) => tasks.map(({ id }) => id))).size).toBe(pages[0]?.count);
      expect(pages).toHaveLength(pages[0]?.count ?? NaN);
    }
  });

  spec('listTasks', 200, 'may follow a page by offset, with another limit and order of filters', async () => {
    const cursor = await cursorOf(reader, 'q=e&sort=-created_at&limit=1&offset=1');

    const { body } = await reader.ok('listTasks', {
      query: { cursor, limit: 10, sort: '-created_at', q: 'e' },
    });

    expect(body.tasks.map(({ title }) => title)).toEqual(['bread', 'Apples']);
  });

  spec('listTasks', 400, 'of other filters, another order or another user is refused', async () => {
    const cursor = await cursorOf(reader, 'limit=1');

    for (const query of [{ q: 'e' }, { sort: 'title' }, { status: 'todo' }, { sort: 'created_at' }]) {
      const { body } = await reader.fails('listTasks', 400, { query: { ...query, cursor } });
      expect(body.errors?.[0]?.pointer).toBe('/query/cursor');
    }
    const { body } = await (await server.as('other')).fails('listTasks', 400, { query: { cursor } });
    expect(body.detail).toContain('"cursor" must be a cursor that this list has returned');
  });

  spec('listTasks', 400, 'that is damaged at any character is refused', async () => {
    const cursor = await cursorOf(reader, 'limit=1');
    const damaged = Array.from(
      cursor,
      (old, n) => cursor.slice(0, n) + (old === 'x' ? 'y' : 'x') + cursor.slice(n + 1),
    );

    for (const each of [...damaged, cursor.slice(1)])
      await reader.fails('listTasks', 400, { query: { cursor: each } });
  });
});

describe('the other lists', async () => {
  const writer = await server.as('writer');

  spec('listAuditLogs', 200, 'the audit log has pages by cursor, even for a deleted task', async () => {
    const { id } = await createTask(writer);
    await writer.ok('updateTask', { id, body: { title: 'Changed' } });

    const pages = await allPages(writer, 'listAuditLogs', { id, query: { limit: 1 } }, async ([entry]) => {
      if (entry?.action === 'create') await writer.ok('deleteTask', { id });
    });

    expect(pages.flat().map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  });

  spec('listMessages', 200, 'messages have pages by cursor, also with `after` and in reverse', async () => {
    await runAgent(writer, await createAgent(writer), 'list my tasks', { context: { session_id: 's' } });
    const all = await messagesOf(writer, 's');
    const after = all[0]?.id ?? '';

    const pages = await allPages(writer, 'listMessages', { id: 's', query: { limit: 1 } });
    const rest = await allPages(writer, 'listMessages', { id: 's', query: { after, limit: 1 } });
    const query = { sort: '-created_at', limit: 1 } as const;
    const back = await allPages(writer, 'listMessages', { id: 's', query });

    expect(pages.flatMap(({ messages }) => messages)).toEqual(all);
    expect(rest.flatMap(({ messages }) => messages)).toEqual(all.slice(1));
    expect(rest[0]?.count).toBe(all.length - 1);
    expect(back.flatMap(({ messages }) => messages)).toEqual(all.toReversed());
  });

  it.each(['listComments', 'listAuditLogs'] as const)(
    '%s refuses a cursor of another task',
    async (operation) => {
      const [one, two] = [await createTask(writer), await createTask(writer)];
      for (const { id } of [one, two])
        for (const body of ['first', 'second']) await writer.ok('createComment', { id, body: { body } });
      const query = nextQuery(await writer.ok(operation, { id: one.id, query: { limit: 1 } }));

      const { body } = await writer.fails(operation, 400, { id: two.id, query });

      expect(body.errors?.[0]?.pointer).toBe('/query/cursor');
    },
  );

  const lists = allOperations
    .filter(({ parameters = [] }) => parameters.some((each) => 'name' in each && each.name === 'cursor'))
    .map(({ operationId }) => operationId);

  it.each(lists)('%s refuses a malformed cursor before it looks for the task or session', async (id) => {
    const { body } = await writer.fails(id, 400, { ...requests[id], query: { cursor: 'malformed' } });

    expect(body).toMatchObject({ errors: [{ pointer: '/query/cursor' }] });
  });
});

const userId = server.userId('crafter');
const crafter = await server.as('crafter');
const { id } = await createTask(crafter);
await runAgent(crafter, await createAgent(crafter), 'list my tasks', { context: { session_id: 'c' } });
const at = '2026-11-21T09:30:00.000Z';
const [numberMax, aboveBigint] = ['999999999999999999', '9223372036854775808'];

// For each list, its path, its filters, the parameter of the cursor, a position after its end, and invalid positions.
describe.each([
  [
    ...(['listTasks', '/api/tasks', { sort: '-created_at' }, 'cursor'] as const),
    ['2020-01-01T00:00:00.000Z', unknownId],
    [['soon', unknownId], ['0000-01-01T00:00:00.000Z', unknownId], [at, 'x'], [at]],
  ],
  [
    ...(['listMessages', '/v1/sessions/c/messages', { sort: 'created_at' }, 'cursor'] as const),
    ['2147483647'],
    [['2147483648'], [numberMax], [aboveBigint]],
  ],
  ['listAuditLogs', `/api/tasks/${id}/audit-logs`, {}, 'cursor', [numberMax], [[aboveBigint]]],
  [
    ...(['listChanges', '/api/changes', { workspace_id: '' }, 'after'] as const),
    [numberMax, numberMax, unknownId],
    [
      [aboveBigint, '0', unknownId],
      ['0', aboveBigint, unknownId],
      ['0', '0', 'x'],
    ],
  ],
] as const)('a crafted cursor of %s', (operation, path, filters, name, end, invalid) => {
  spec(operation, 400, 'is refused if a value has another type than its column in Postgres', async () => {
    const pageAfter = (position: readonly string[]): Input => ({
      id: operation === 'listMessages' ? 'c' : id,
      query: { [name]: encodeCursor(position, { path, userId, filters }) },
    });

    const { body } = await crafter.ok(operation, pageAfter(end));
    expect([body, ...Object.values(body)].find(Array.isArray)).toEqual([]);
    for (const position of invalid) {
      const refused = await crafter.fails(operation, 400, pageAfter(position));
      expect(refused.body.errors?.[0]?.pointer).toBe(`/query/${name}`);
    }
  });
});
