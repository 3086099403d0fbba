import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const mebibyte = 2 ** 20;
// The longest allowed texts: their characters take three bytes each, or six in JSON.
const long = '長'.repeat(65_536);
const metadata = '\u0001'.repeat(65_536);

const server = sharedServer();

const alice = await server.as('alice');
for (let n = 0; n < 10; n += 1) await createTask(alice, { title: `Task ${n}`, description: long, metadata });
const { id } = await createTask(alice, { title: 'Short' });
await Promise.all(Array.from({ length: 50 }, () => alice.ok('createComment', { id, body: { body: long } })));

function bytesOf(entries: readonly object[]): number {
  return Buffer.byteLength(JSON.stringify(entries));
}

describe('a page of large entries', () => {
  spec(
    'listTasks',
    200,
    'ends at 2 MiB of JSON with the right count, and Link continues from there',
    async () => {
      const first = await alice.ok('listTasks', { query: { limit: 1000 } });
      const last = await alice.ok('listTasks', { query: { limit: 1000, offset: 7 } });

      expect(bytesOf(first.body.tasks)).toBeGreaterThan(1.9 * mebibyte);
      expect(bytesOf(first.body.tasks)).toBeLessThan(2.6 * mebibyte);
      expect(first.body.tasks[1]).toMatchObject({ title: 'Task 9', description: long, metadata });
      expect(first.body.count).toBe(11);
      expect(first.headers.get('Link')).toMatch(/limit=1000&cursor=[\w-]+>; rel="next"$/);
      expect(last.headers.get('Link')).not.toContain('next');
      expect(last.body.tasks.map(({ title }) => title)).toEqual(['Task 3', 'Task 2', 'Task 1', 'Task 0']);
    },
  );

  spec('listTasks', 200, 'ends early in every order, and when texts are searched', async () => {
    const { body } = await alice.ok('listTasks', { query: { limit: 1000, sort: 'title', q: 'task' } });

    expect(body.tasks[0]?.title).toBe('Task 0');
    expect(body.tasks.length).toBeLessThan(10);
    expect(body.count).toBe(10);
  });

  describe.each([
    ['listComments', 'comments'],
    ['listAuditLogs', 'audit-logs'],
  ] as const)('of %s', (operation, path) => {
    spec(operation, 200, 'ends at 2 MiB, and Link continues from there', async () => {
      const { body, headers } = await alice.ok(operation, { id });

      const next = new RegExp(`/${path}\\?limit=1000&cursor=[\\w-]+>; rel="next"$`);
      expect(bytesOf(body)).toBeLessThan(2.6 * mebibyte);
      expect(headers.get('Link')).toMatch(next);
    });
  });
});

const reader = await server.as('deep reader');
const batch = { create: Array.from({ length: 92 }, () => ({ title: 'A task', workspace_id: 'deep' })) };
for (let n = 0; n < 11; n += 1) await reader.ok('batchTasks', { body: batch });

async function ids(query: string): Promise<string[]> {
  const { body } = await reader.ok('listTasks', { query });
  expect(body.count).toBe(1012);
  return body.tasks.map(({ id }) => id);
}

describe('a list of more than a thousand tasks', () => {
  spec('listTasks', 200, 'has the same pages in each order and with each filter', async () => {
    const after = await ids('limit=1000&offset=1000');
    const oldest = (await ids('limit=12&sort=created_at')).toReversed();

    expect(oldest).toEqual(after);
    for (const filter of ['workspace_id=deep', 'workspace_id=deep&status=todo', 'status=todo', 'q=task'])
      expect(await ids(`${filter}&limit=4&offset=1001`)).toEqual(after.slice(1, 5));
  });

  spec('listTasks', 200, 'takes a limit above 1000 as 1000', async () => {
    const first = await ids('limit=1000');

    expect(first).toHaveLength(1000);
    expect(await ids('limit=1001')).toEqual(first);
    expect(await ids('limit=9007199254740991')).toEqual(first);
  });
});
