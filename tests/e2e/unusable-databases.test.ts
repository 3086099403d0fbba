import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseName, databaseUrl, run } from '../support/postgres.ts';
import { refusalOf, runCli, startProcess } from '../support/process.ts';
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

describe.runIf(engine === 'postgres')('a database', () => {
  const name = `worktable_locale_${process.pid}`;

  afterAll(() => run(admin, `drop database if exists ${name} with (force)`));

  async function migrateWith(encoding: string): ReturnType<typeof runCli> {
    await run(admin, `drop database if exists ${name} with (force)`);
    await run(admin, `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
    return runCli(['migrate'], { DATABASE_URL: databaseUrl(admin, name) });
  }

  it.each(['LATIN1', 'WIN1251', 'SQL_ASCII'])(
    'of the encoding %s stops the start before it is changed',
    async (encoding) => {
      const { code, output } = await migrateWith(encoding);

      expect([code, output]).toEqual([
        1,
        expect.stringContaining(`server_encoding = '${encoding}', not 'UTF8'`),
      ]);
      expect(await tablesOf(databaseUrl(admin, name))).toBe(0);
    },
  );
});

describe.runIf(engine === 'postgres')('an address without a database stops the start', () => {
  const role = `worktable_nameless_${process.pid}`;
  let url: string;

  beforeAll(async () => {
    await run(admin, `create role ${role} login password 'secret'`);
    await run(admin, `create database ${role} owner ${role}`);
    url = Object.assign(new URL(admin), { username: role, password: 'secret', pathname: '' }).href;
  });

  afterAll(async () => {
    await run(admin, `drop database ${role} with (force)`);
    await run(admin, `drop role ${role}`);
  });

  it.each([
    ['and the database of the name of its user stays as it is', {}],
    ['and so does the database in PGDATABASE', { PGDATABASE: role }],
  ])('%s', async (_, env) => {
    for (const address of [url, `${url.replace(/\/$/, '')}/`])
      expect(await refusalOf(['migrate'], { DATABASE_URL: address, ...env })).toBe(
        'DATABASE_URL names no database. Append the name, as in postgres://user:password@host:5432/worktable.\n',
      );
    expect(await tablesOf(databaseUrl(url, role))).toBe(0);
  });
});

async function tablesOf(url: string): Promise<number> {
  const { rowCount } = await run(url, `select from pg_tables where schemaname = 'public'`);
  return rowCount ?? 0;
}

/** A migrated database, and the environment of a server that uses it. */
async function newDatabase(): Promise<{ admin: string; env: Record<string, string> }> {
  const { env } = await createDatabase();
  return { admin: env['DATABASE_URL'] ?? '', env: { ...env, PORT: '0', LOG_LEVEL: 'silent' } };
}

/** A migrated database with a role that has these rights, and the environment of a server with that role. */
async function databaseOfRole(
  name: string,
  rights: (role: string) => string,
): Promise<Record<string, string>> {
  const role = `worktable_${name}_${process.pid}`;
  const { admin, env } = await newDatabase();
  await run(admin, `create role ${role} login password 'secret'; ${rights(role)}`);
  cleanUpAfter(() => run(admin, `drop owned by ${role}; drop role ${role}`));
  const url = Object.assign(new URL(admin), { username: role, password: 'secret' });
  return { ...env, DATABASE_URL: url.href };
}

const tooFewRights =
  /^The database cannot be used\. Check DATABASE_URL\. The driver reports: .*permission denied.*\n$/;

describe.runIf(engine === 'postgres')('a start ends by itself with a sentence', () => {
  it('when the database is read-only', async () => {
    const { admin, env } = await newDatabase();
    await run(admin, `alter database ${databaseName(admin)} set default_transaction_read_only = on`);

    expect(await refusalOf(['serve'], env)).toMatch(
      /^The database cannot be used\. Check DATABASE_URL\. The driver reports: .*read-only transaction\n$/,
    );
  });

  it('when its user may not use the tables', async () => {
    expect(await refusalOf(['serve'], await databaseOfRole('stranger', () => ''))).toMatch(tooFewRights);
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
