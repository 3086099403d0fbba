import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

const alice = await sharedServer().as('alice');
const create = Array.from({ length: 92 }, () => ({ title: 'A task', workspace_id: 'deep' }));
for (let n = 0; n < 11; n += 1) await alice.ok('batchTasks', { body: { create } });

async function ids(query: string): Promise<string[]> {
  const { body } = await alice.ok('listTasks', { query });
  expect(body.count).toBe(1012);
  return body.tasks.map(({ id }) => id);
}

describe('more than a thousand tasks into a list', () => {
  spec('listTasks', 200, 'a page continues where the previous one ended', async () => {
    const before = await ids('limit=1000');
    const after = await ids('limit=1000&offset=1000');

    expect(after).toHaveLength(12);
    expect(new Set([...before, ...after]).size).toBe(1012);
    expect(await ids('limit=3&offset=999')).toEqual([before.at(-1), after[0], after[1]]);
  });

  spec('listTasks', 200, 'pages are the same in each order and with each filter', async () => {
    const after = await ids('limit=1000&offset=1000');
    const oldest = (await ids('limit=12&sort=created_at')).toReversed();

    expect(oldest).toEqual(after);
    for (const filter of ['workspace_id=deep', 'workspace_id=deep&status=todo', 'status=todo', 'q=task'])
      expect(await ids(`${filter}&limit=4&offset=1001`)).toEqual(after.slice(1, 5));
  });

  spec('listTasks', 200, 'a limit above 1000 is taken as 1000', async () => {
    const thousand = await ids('limit=1000');

    expect(thousand).toHaveLength(1000);
    expect(await ids('limit=1001')).toEqual(thousand);
    expect(await ids('limit=9007199254740991')).toEqual(thousand);
  });
});
