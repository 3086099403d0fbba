import { describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const mebibyte = 2 ** 20;
// The longest allowed text, of characters that take three bytes each.
const long = '長'.repeat(65_536);

const server = sharedServer();

const alice = await server.as('alice');
for (let n = 0; n < 30; n += 2) {
  const create = [n, n + 1].map((number) => ({ title: `Task ${number}`, description: long, metadata: long }));
  await alice.ok('batchTasks', { body: { create } });
}
const { id } = await createTask(alice, { title: 'Short' });
await Promise.all(Array.from({ length: 50 }, () => alice.ok('createComment', { id, body: { body: long } })));

async function sdkOf(user: string): Promise<ReturnType<typeof createClient>> {
  return createClient({ baseUrl: server.url, token: await server.token(user) });
}

function bytesOf(entries: readonly object[]): number {
  return Buffer.byteLength(JSON.stringify(entries));
}

describe('a page whose entries are large', () => {
  spec('listTasks', 200, 'ends at 2 MiB with the right count, and Link continues from there', async () => {
    const first = await alice.ok('listTasks', { query: { limit: 1000 } });
    const last = await alice.ok('listTasks', { query: { limit: 1000, offset: 27 } });

    expect(bytesOf(first.body.tasks)).toBeGreaterThan(1.9 * mebibyte);
    expect(bytesOf(first.body.tasks)).toBeLessThan(2.6 * mebibyte);
    expect(first.body.tasks[1]).toMatchObject({ title: 'Task 29', description: long, metadata: long });
    expect(first.body.count).toBe(31);
    expect(first.headers.get('Link')).toMatch(/limit=1000&cursor=[\w-]+>; rel="next"$/);
    expect(last.headers.get('Link')).not.toContain('next');
    expect(last.body.tasks.map(({ title }) => title)).toEqual(['Task 3', 'Task 2', 'Task 1', 'Task 0']);
  });

  spec('listTasks', 200, 'ends early in every order, and when texts are searched', async () => {
    const { body } = await alice.ok('listTasks', { query: { limit: 1000, sort: 'title', q: 'task' } });

    expect(body.tasks[0]?.title).toBe('Task 0');
    expect(body.tasks.length).toBeLessThan(30);
    expect(body.count).toBe(30);
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

  spec('listTasks', 200, 'ends at 2 MiB of JSON, in which a control character has six bytes', async () => {
    const carol = await server.as('carol');
    const description = '\u0001'.repeat(65_536);
    const bodies = Array.from({ length: 30 }, (_, n) => ({ title: `Task ${n}`, description }));
    await Promise.all(bodies.map((body) => createTask(carol, body)));

    const { body, headers } = await carol.ok('listTasks', { query: { limit: 1000, sort: 'title' } });
    const all = await (await sdkOf('carol')).tasks.list({ limit: 1000 }).toArray();

    expect(bytesOf(body.tasks)).toBeGreaterThan(1.9 * mebibyte);
    expect(bytesOf(body.tasks)).toBeLessThan(2.6 * mebibyte);
    expect(body.count).toBe(30);
    expect(headers.get('Link')).toContain('rel="next"');
    expect(new Set(all.map(({ title }) => title)).size).toBe(30);
    expect(all).toHaveLength(30);
  });

  it('leads the SDK to every entry once', async () => {
    const { tasks } = await sdkOf('alice');

    const lists = [
      await tasks.list({ limit: 1000 }).toArray(),
      await tasks.listComments(id).toArray(),
      await tasks.listAuditLogs(id).toArray(),
    ];

    expect(lists.map(({ length }) => length)).toEqual([31, 50, 51]);
    expect(lists.map((entries) => new Set(entries.map((entry) => entry.id)).size)).toEqual([31, 50, 51]);
  });
});
