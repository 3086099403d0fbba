import { expect } from 'vitest';
import { createAgent } from '../../support/agents.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = sharedServer();

const alice = await server.as('alice');

spec('listAgents', 200, "the list contains the caller's agents, newest first", async () => {
  const [bob, carol] = [await server.as('bob'), await server.as('carol')];
  const first = await createAgent(bob, { name: 'First' });
  const second = await createAgent(bob, { name: 'Second' });
  await createAgent(carol);

  const { body, headers } = await bob.ok('listAgents');

  expect(body).toEqual({ agents: [second, first] });
  expect(headers.get('Link')).toBeNull();
});

spec(
  'listAgents',
  200,
  'limit and offset select a page, and Link has the next and the previous one',
  async () => {
    const dave = await server.as('dave');
    for (const name of ['One', 'Two', 'Three']) await createAgent(dave, { name });

    const first = await dave.ok('listAgents', { query: { limit: 2 } });
    const second = await dave.ok('listAgents', { query: { limit: 2, offset: 2 } });

    expect([...first.body.agents, ...second.body.agents].map(({ name }) => name)).toEqual([
      'Three',
      'Two',
      'One',
    ]);
    expect(first.headers.get('Link')).toMatch(/^<\/v1\/agents\?limit=2&cursor=[\w-]+>; rel="next"$/);
    expect(second.headers.get('Link')).toBe('</v1/agents?limit=2&offset=0>; rel="prev"');
  },
);

spec('listAgents', 200, 'a page ends at 8 MiB, and Link has the next one', async () => {
  const erin = await server.as('erin');
  const instructions = '長'.repeat(65_536);
  for (let n = 0; n < 50; n += 1) await createAgent(erin, { name: `Agent ${n}`, instructions });

  const first = await erin.ok('listAgents');
  const { length } = first.body.agents;
  const second = await erin.ok('listAgents', { query: { offset: length } });

  expect(Buffer.byteLength(JSON.stringify(first.body))).toBeLessThan(8.6 * 2 ** 20);
  expect(first.headers.get('Link')).toMatch(/^<\/v1\/agents\?limit=1000&cursor=[\w-]+>; rel="next"$/);
  expect(second.headers.get('Link')).not.toContain('next');
  expect([...first.body.agents, ...second.body.agents].map(({ name }) => name)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Agent ${49 - n}`),
  );
});

spec('listAgents', 400, 'an unknown query parameter is rejected', async () => {
  const { body } = await alice.fails('listAgents', 400, { query: 'name=x' });

  expect(body.errors).toEqual([
    {
      pointer: '/query/name',
      code: 'unknown',
      detail: 'The query parameter "name" is not known; the query parameters are limit, offset, cursor.',
    },
  ]);
});
