import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/postgres.ts';
import { refusalOf } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

describe.runIf(engine === 'postgres')('a database user', () => {
  const user = `worktable_user_${process.pid}`;
  let admin: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    const url = new URL(database.env['DATABASE_URL'] ?? '');
    admin = url.href;
    await run(admin, `create role ${user} login password 'secret' connection limit 1`);
    await run(admin, `create database ${user} owner ${user}`);
    Object.assign(url, { username: user, password: 'secret' });
    env = { ...database.env, PORT: '0', DATABASE_URL: url.href };
  });

  afterAll(async () => {
    await run(admin, `drop database ${user} with (force)`);
    await run(admin, `drop role ${user}`);
  });

  it('with too few connections stops the start with the error of the driver', async () => {
    const own = { ...env, DATABASE_URL: new URL(user, env['DATABASE_URL']).href };

    expect(await refusalOf(['serve'], own)).toBe(
      `The database cannot be used. Check DATABASE_URL. The driver reports: error: too many connections for role "${user}"\n`,
    );
  });

  it('with too few rights stops the start with advice', async () => {
    await run(admin, `alter role ${user} connection limit -1`);

    expect(await refusalOf(['serve'], env)).toMatch(
      /^This database user may not create tables, or may not use the existing ones\. Run `node server\/src\/cli\.ts migrate` as their owner and grant rights; see server\/README\.md\. The driver reports: .*permission denied.*\n$/,
    );
  });
});
