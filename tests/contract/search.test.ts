import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { engine, sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

async function titlesWith(client: Client, q: string): Promise<string[]> {
  const { tasks, count } = (await client.ok('listTasks', { query: { q } })).body;
  expect(count).toBe(tasks.length);
  return tasks.map(({ title }) => title).toSorted();
}

describe('a search', () => {
  it.each(['.*', 'a|b', '(', '[^x]', 'x{2}', '^', '$', '\\d', '\\', '***:', '(?i)', '%', '_', '***=', '?'])(
    'for %s finds this text, which is not a pattern',
    async (text) => {
      const client = await server.as(`pattern-${text}`);
      await createTask(client, { title: `before ${text} after` });
      await createTask(client, { title: 'another', description: `1 ${text}` });
      await createTask(client, { title: 'neither aab nor xx 7' });

      expect(await titlesWith(client, text)).toEqual(['another', `before ${text} after`]);
    },
  );

  it.each([
    ['MÜLLER', 'Herr Müller'],
    ['ΟΔΟΣ', 'οδος'],
    ['istanbul', 'İSTANBUL'],
    ['ısparta', 'ISPARTA'],
    ['ẞ', 'Maß'],
    ['kelvin', '\u212aELVIN'],
    ['boat invoice', 'Invoice for the boat'],
    ['  boat\tinvoice ', 'Invoice for the boat'],
    ['cafe', 'Un CAFÉ noir'],
    ['CAFÉ', 'cafe'],
    ['Elan', 'élan'],
    ['tirane nguyen', 'Nguyễn, Tiranë'],
    ['елка', 'Ёлка'],
    ['caf\u00e9s', 'cafe\u0301s'],
    ['cafe\u0301s', 'caf\u00e9s'],
    ['cafes', 'cafe\u0301s'],
    ['한국', '한국'.normalize('NFD')],
    ['ガス'.normalize('NFD'), 'ガス'],
    ['\u095d', 'प\u095dना'],
  ])('for %s finds %s', async (text, title) => {
    const client = await server.as(`case-${text}`);
    await createTask(client, { title });

    expect(await titlesWith(client, text)).toEqual([title]);
  });

  it('finds only tasks that have each word, in the title or in the description', async () => {
    const client = await server.as('words');
    await createTask(client, { title: 'Invoice', description: 'for the boat' });
    await createTask(client, { title: 'Invoice for the car' });
    expect(await titlesWith(client, 'boat invoice')).toEqual(['Invoice']);
    expect(await titlesWith(client, ' \t ')).toEqual(['Invoice', 'Invoice for the car']);
  });

  spec('listTasks', 200, 'may have the replacement character and a lone percent sign', async () => {
    const client = await server.as('replacing');
    await createTask(client, { title: '100% \ufffd' });

    expect((await client.ok('listTasks', { query: 'q=100%+%EF%BF%BD' })).body.count).toBe(1);
  });

  spec('listTasks', 400, 'has at most 200 characters', async () => {
    expect(await titlesWith(alice, 'x'.repeat(200))).toEqual([]);

    const { body } = await alice.fails('listTasks', 400, { query: { q: 'x'.repeat(201) } });

    const detail = 'The query parameter "q" must not have more than 200 characters.';
    expect(body.errors).toEqual([{ pointer: '/query/q', code: 'too_long', detail }]);
  });

  it(`reads ${engine === 'pglite' ? 'the newest 8 MiB' : 'all'} of the texts that match the other filters`, async () => {
    const client = await server.as('carol');
    const description = 'x'.repeat(65_536);
    for (let n = 0; n < 130; n += 10) {
      const numbers = Array.from({ length: 10 }, (_, i) => n + i);
      const create = numbers.map((number) => ({
        ...{ title: `task ${number} needle`, description },
        status: number < 2 ? 'done' : 'todo',
      }));
      await client.ok('batchTasks', { body: { create } });
    }
    const count = async (query: Record<string, string>): Promise<number> =>
      (await client.ok('listTasks', { query: { q: 'NEEDLE', limit: 0, ...query } })).body.count;

    expect(await count({})).toBe(engine === 'pglite' ? 127 : 130);
    expect(await count({ status: 'done' })).toBe(2);
  });
});
