import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { databaseName, databaseUrl, run, runConnection } from '../../support/postgres.ts';
import { engine, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

describe.runIf(engine === 'postgres')('after a database was read-only and can be written again,', () => {
  let server: TestServer;
  let alice: Client;
  let admin: string;

  beforeEach(async () => {
    server = await startTestServer();
    alice = await server.as('alice');
    admin = server.env['DATABASE_URL'] ?? '';
    await setReadOnly(admin, 'on');
    await runConnection(admin, (connection) => connection.cutServers());
  });

  spec('createTask', 201, 'succeeds within seconds, on the connections that requests keep open', async () => {
    const create = async (): Promise<number> =>
      (await alice.send('createTask', { body: { title: 'x' } })).status;
    const createThree = (): Promise<number[]> => Promise.all([1, 2, 3].map(create));
    expect(await createThree()).toEqual([503, 503, 503]);

    await setReadOnly(admin, 'off');

    await expect.poll(createThree).toEqual([201, 201, 201]);
  });

  it('/readyz returns 200 within seconds, without other requests', async () => {
    const readiness = async (): Promise<string> => (await fetch(`${server.url}/readyz`)).text();
    await expect.poll(readiness).toBe('The database is read-only.\n');

    await setReadOnly(admin, 'off');

    await expect.poll(readiness).toBe('ready\n');
  });

  spec('getTask', 404, 'uses a new connection too, because the old one may lead to a standby', async () => {
    const reader = async (): Promise<unknown> => {
      await alice.fails('getTask', 404, { id: '01a1fdb9-4c84-73be-8229-1f6290ff66e0' });
      const { rows } = await run(admin, lastReader);
      return rows;
    };
    const before = await reader();
    await alice.fails('createTask', 503, { body: { title: 'x' } });

    await expect.poll(reader).not.toEqual(before);
  });
});

/** The backend that has read a task last. */
const lastReader = `
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'worktable' and query like '%from tasks%'
  order by query_start desc limit 1`;

async function setReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  // Uses a connection to another database, because new connections to this one are read-only.
  const name = databaseName(url);
  await run(
    databaseUrl(url, 'postgres'),
    `alter database ${name} set default_transaction_read_only = ${value}`,
  );
}
