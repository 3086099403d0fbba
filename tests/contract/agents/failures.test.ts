import { beforeAll, describe, expect } from 'vitest';
import type { OperationId } from '../../../server/src/operations.ts';
import type { Client, Input } from '../../support/client.ts';
import { databaseName, run } from '../../support/postgres.ts';
import { engine, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const id = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';
const requests: readonly (readonly [OperationId, Input])[] = [
  ['listAgents', {}],
  ['createAgent', { body: { name: 'x' } }],
  ['runAgent', { id, body: { input: 'Hi' } }],
  ['getSession', { id }],
  ['listMessages', { id }],
];

describe.runIf(engine === 'postgres')('while the database is gone', () => {
  let alice: Client;

  beforeAll(async () => {
    const server = await startTestServer();
    alice = await server.as('alice');
    const url = server.env['DATABASE_URL'] ?? '';
    await run(new URL('/postgres', url).href, `drop database ${databaseName(url)} with (force)`);
  });

  describe.each(requests)('%s', (operation, input) => {
    spec(
      operation as 'listAgents',
      500,
      'answers "Database error" without a word of the driver',
      async () => {
        const { body } = await alice.fails(operation as 'listAgents', 500, input);

        expect(body).toMatchObject({ code: 'Database error', error: 'Database error' });
      },
    );
  });
});

describe('a bad query', () => {
  spec('listMessages', 400, 'is refused with what is wrong', async () => {
    const server = await startTestServer();

    const { body } = await (await server.as('alice')).fails('listMessages', 400, { id, query: 'limit=-1' });

    expect(body.errors?.[0]?.pointer).toBe('/query/limit');
  });
});
