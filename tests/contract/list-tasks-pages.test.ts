import { describe, expect } from 'vitest';
import type { Schemas } from '../../server/src/operation.ts';
import type { Answer, Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createFiveTasks } from '../support/tasks.ts';

const server = sharedServer();

async function userWithTasks(user: string): Promise<Client> {
  const client = await server.as(user);
  await createFiveTasks(client);
  return client;
}

describe('pages', () => {
  spec('listTasks', 200, 'are connected by Link, keep the filters, and count all matches', async () => {
    const client = await userWithTasks('pager');
    const query = { q: 'e', sort: 'title', limit: 1 };

    const first = await client.ok('listTasks', { query });
    const last = await client.ok('listTasks', { query: { ...query, offset: 3 } });

    expect(first.body).toMatchObject({ count: 4, tasks: [{ title: '100%_\\' }] });
    expect(first.headers.get('Link')).toMatch(
      /^<\/api\/tasks\?q=e&sort=title&limit=1&cursor=[\w-]+>; rel="next"$/,
    );
    expect(last.headers.get('Link')).toBe('</api/tasks?q=e&sort=title&limit=1&offset=2>; rel="prev"');
  });

  spec('listTasks', 200, 'have every task once when a client follows rel="next"', async () => {
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

  spec('listTasks', 200, 'have no Link if it could be longer than 8,000 characters', async () => {
    const client = await userWithTasks('wordy');
    const long = encodeURIComponent('長'.repeat(20));
    const query = `limit=1&status=todo${`&status=${long}`.repeat(49)}`;

    const { body, headers } = await client.ok('listTasks', { query });

    expect([body.tasks.length, body.count]).toEqual([1, 3]);
    expect(headers.get('Link')).toBeNull();
  });

  spec('listTasks', 200, 'of limit 0 have no task, only the count', async () => {
    const client = await userWithTasks('counter');

    expect((await client.ok('listTasks', { query: { limit: 0 } })).body).toEqual({ tasks: [], count: 5 });
  });

  spec('listTasks', 200, 'beyond the end are empty and have the count', async () => {
    const client = await userWithTasks('beyond');

    const { body } = await client.ok('listTasks', { query: { offset: 9_007_199_254_740_991 } });

    expect(body).toEqual({ tasks: [], count: 5 });
  });
});
