import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseName, databaseUrl, run } from '../support/postgres.ts';
import { refusalOf, runCli } from '../support/process.ts';
import { createDatabase, engine, template } from '../support/server.ts';
import { alterDatabase, alterOn } from '../support/session-settings.ts';

describe.runIf(engine === 'postgres')('a setting that only an administrator can change', () => {
  it.each([
    ['session_replication_role', 'replica', 'origin'],
    ['track_activities', 'off', 'on'],
    ['idle_session_timeout', '1s', '0'],
  ])('stops the start with the statement that corrects it: %s', async (name, value, needed) => {
    const database = await createDatabase();
    const url = database.env['DATABASE_URL'] ?? '';
    await alterDatabase(database, { [name]: value });
    const statement = `alter role ${new URL(url).username} in database ${databaseName(url)} set ${name} = '${needed}'`;

    expect(await refusalOf(['migrate'], database.env)).toBe(
      `The sessions of this server have settings with which it would lose data or answer wrongly: ${name} = '${value}'. Correct them as an administrator: ${statement};\n`,
    );
    await run(url, statement);
    expect((await runCli(['migrate'], database.env)).code).toBe(0);
  });
});

describe.runIf(engine === 'citus')('a setting of a worker', () => {
  it('stops the start with the statement that corrects it, because the coordinator passes on none', async () => {
    const database = await createDatabase();
    const name = databaseName(database.env['DATABASE_URL'] ?? '');
    const worker = template.engine === 'citus' ? (template.nodes[1] ?? '') : '';
    const { host, username } = new URL(worker);
    await alterOn(worker, name, { DateStyle: 'SQL, DMY', session_replication_role: 'replica' });
    const alter = `alter role ${username} in database ${name} set`;

    expect(await refusalOf(['migrate'], database.env)).toBe(
      `The sessions of this server have settings with which it would lose data or answer wrongly: DateStyle = 'SQL, DMY' on the worker ${host}, session_replication_role = 'replica' on the worker ${host}. Correct them as an administrator: ${alter} DateStyle = 'ISO' on the worker ${host}; ${alter} session_replication_role = 'origin' on the worker ${host};\n`,
    );
    await run(databaseUrl(worker, name), `${alter} DateStyle = 'ISO'`);
    await run(databaseUrl(worker, name), `${alter} session_replication_role = 'origin'`);
    expect((await runCli(['migrate'], database.env)).code).toBe(0);
  });
});

describe.runIf(engine === 'postgres')('a database', () => {
  const name = `worktable_locale_${process.pid}`;
  const emptyDatabase = `template0 encoding 'UTF8' locale 'C.UTF-8'`;
  let admin: string;

  beforeAll(() => {
    admin = template.engine === 'postgres' ? template.url : '';
  });

  afterAll(() => run(admin, `drop database if exists ${name} with (force)`));

  async function migrateWith(locale: string): ReturnType<typeof runCli> {
    await run(admin, `drop database if exists ${name} with (force)`);
    await run(admin, `create database ${name} template template0 ${locale}`);
    return runCli(['migrate'], { DATABASE_URL: databaseUrl(admin, name) });
  }

  it.each(['LATIN1', 'WIN1251', 'SQL_ASCII'])(
    'of the encoding %s stops the start before it is changed',
    async (encoding) => {
      expect(await migrateWith(`encoding '${encoding}' locale 'C'`)).toEqual({
        code: 1,
        output: `The database ${name} has the encoding ${encoding}, which cannot store every text. Create one with \`create database NAME template ${emptyDatabase}\`, and set DATABASE_URL to it.\n`,
      });
      expect(await tablesOf(databaseUrl(admin, name))).toBe(0);
    },
  );

  it('of the character type C is used, with a warning', async () => {
    expect(await migrateWith(`encoding 'UTF8' locale 'C'`)).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^The database \w+ has a character type such as C, so the order by title distinguishes capital letters beyond ASCII from small ones\. Restore its dump into one that was created with `create database NAME template template0 encoding 'UTF8' locale 'C\.UTF-8'`\.\nMigrated: /,
      ),
    });
  });
});

describe.runIf(engine === 'postgres')('an address without a database stops the start', () => {
  const role = `worktable_nameless_${process.pid}`;
  let admin: string;
  let url: string;

  beforeAll(async () => {
    admin = template.engine === 'postgres' ? template.url : '';
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
        `DATABASE_URL names no database, so it would mean "${role}". Append the name, as in postgres://user:password@host:5432/${role}.\n`,
      );
    expect(await tablesOf(databaseUrl(url, role))).toBe(0);
  });
});

async function tablesOf(url: string): Promise<number> {
  const { rowCount } = await run(url, `select from pg_tables where schemaname = 'public'`);
  return rowCount ?? 0;
}
