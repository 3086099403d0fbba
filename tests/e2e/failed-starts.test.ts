import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import { databaseName, run } from '../support/postgres.ts';
import { refusalOf } from '../support/process.ts';
import { createDatabase, engine } from '../support/server.ts';

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
  /^This database user may not create tables, or may not use the existing ones\. Run `[^`]+ migrate` as their owner and grant rights; see server\/install\.md\. The driver reports: .*permission denied.*\n$/;

describe.runIf(engine === 'postgres')('a start ends by itself with a sentence', () => {
  it('when the database is read-only', async () => {
    const { admin, env } = await newDatabase();
    await run(admin, `alter database ${databaseName(admin)} set default_transaction_read_only = on`);

    expect(await refusalOf(['serve'], env)).toMatch(
      /^The database is read-only\. Set DATABASE_URL to the primary server, or switch its default_transaction_read_only off\. The driver reports: .*read-only transaction\n$/,
    );
  });

  it('when the file of an authority is missing', async () => {
    const { admin, env } = await newDatabase();
    const url = `${admin}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;

    expect(await refusalOf(['serve'], { ...env, DATABASE_URL: url })).toBe(
      "DATABASE_URL names a file in sslrootcert that cannot be read: ENOENT: no such file or directory, open '/nowhere/ca.pem'.\n",
    );
  });

  it('when its user may not use the tables', async () => {
    expect(await refusalOf(['serve'], await databaseOfRole('stranger', () => ''))).toMatch(tooFewRights);
  });

  it('when its user has too few connections, with the error of the driver', async () => {
    const env = await databaseOfRole(
      'alone',
      (role) => `
        alter role ${role} connection limit 1;
        grant all on schema public to ${role};
        grant all on all tables in schema public to ${role}`,
    );
    const { username } = new URL(env['DATABASE_URL'] ?? '');

    expect(await refusalOf(['serve'], env)).toBe(
      `The database cannot be used. Check DATABASE_URL. The driver reports: error: too many connections for role "${username}"\n`,
    );
  });
});
