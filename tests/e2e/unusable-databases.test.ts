import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { databaseUrl, run } from '../support/postgres.ts';
import { refusalOf, runCli, startProcess } from '../support/process.ts';
import { createOwner, createRole } from '../support/roles.ts';
import { createDatabase, engine, template } from '../support/server.ts';
import { alterDatabase } from '../support/session-settings.ts';
import { cleanUpAfter } from '../support/cleanup.ts';
import { startRelay } from '../support/relay.ts';
import { createTask } from '../support/tasks.ts';
import { secret } from '../support/tokens.ts';

it.runIf(engine === 'postgres').each([
  ['session_replication_role', 'replica', 'origin'],
  ['track_activities', 'off', 'on'],
  ['idle_session_timeout', '1s', '0'],
])('a setting that only an administrator can change stops the start: %s', async (name, value, needed) => {
  const database = await createDatabase();
  await alterDatabase(database, { [name]: value });

  expect(await refusalOf(['migrate'], database.env)).toBe(
    `The sessions of this server have settings with which it would lose data or answer wrongly: ${name} = '${value}', not '${needed}'. Correct them as server/install.md says under "Postgres".\n`,
  );
  await alterDatabase(database, { [name]: needed });
  expect((await runCli(['migrate'], database.env)).code).toBe(0);
});

const admin = template.engine === 'postgres' ? template.url : '';

it.runIf(engine === 'postgres')(
  'a database of another encoding than UTF-8 stops the start before it is changed',
  async () => {
    const name = `worktable_locale_${process.pid}`;
    cleanUpAfter(() => run(admin, `drop database ${name} with (force)`));
    await run(admin, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`);
    const url = databaseUrl(admin, name);

    expect(await refusalOf(['migrate'], { DATABASE_URL: url })).toContain(
      `server_encoding = 'LATIN1', not 'UTF8'`,
    );
    expect(await tablesOf(url)).toBe(0);
  },
);

describe.runIf(engine === 'postgres')('an address without a database stops the start,', () => {
  it('and the database of the name of its user, or in PGDATABASE, stays as it is', async () => {
    const url = await createOwner(admin, 'nameless');
    const nameless = Object.assign(new URL(url), { pathname: '' }).href.replace(/\/$/, '');
    for (const address of [nameless, `${nameless}/`])
      for (const env of [{}, { PGDATABASE: url.username }])
        expect(await refusalOf(['migrate'], { DATABASE_URL: address, ...env })).toBe(
          'DATABASE_URL names no database. Append the name, as in postgres://user:password@host:5432/worktable.\n',
        );
    expect(await tablesOf(url.href)).toBe(0);
  });
});

async function tablesOf(url: string): Promise<number> {
  const { rowCount } = await run(url, `select from pg_tables where schemaname = 'public'`);
  return rowCount ?? 0;
}

const quiet = { PORT: '0', LOG_LEVEL: 'silent' };

describe.runIf(engine === 'postgres')('a start ends by itself with a sentence', () => {
  it('when the database is read-only', async () => {
    const database = await createDatabase();
    await alterDatabase(database, { default_transaction_read_only: 'on' });

    expect(await refusalOf(['serve'], { ...database.env, ...quiet })).toMatch(
      /^The database cannot be used\. Check DATABASE_URL\. The driver reports: .*read-only transaction\n$/,
    );
  });

  it('when its user may not use the tables', async () => {
    const { env } = await createDatabase();
    const { href } = await createRole(env['DATABASE_URL'] ?? '', 'stranger');

    expect(await refusalOf(['serve'], { ...env, ...quiet, DATABASE_URL: href })).toMatch(
      /^The database cannot be used\. Check DATABASE_URL\. The driver reports: .*permission denied.*\n$/,
    );
  });
});

it.runIf(engine === 'postgres')(
  'while the database does not respond, SIGTERM ends the server with 0, although its connections stay open',
  async () => {
    const database = await createDatabase();
    const relay = await startRelay(database.env['DATABASE_URL'] ?? '');
    const server = await startProcess({ ...database.env, DATABASE_URL: relay.url, JWT_SECRET: secret });
    const alice = await server.as('alice');
    const { id } = await createTask(alice);
    await alice.ok('getTask', { id });

    relay.silence();
    // The queue polls every second, so by now some of its statements are in flight.
    await pause(1100);
    const startMs = performance.now();
    const code = await server.stop('SIGTERM');

    expect(code).toBe(0);
    expect(server.output()).toContain('shutdown complete');
    expect(performance.now() - startMs).toBeLessThan(15_000);
  },
);
