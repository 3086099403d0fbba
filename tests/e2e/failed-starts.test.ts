import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import { databaseName, run } from '../support/postgres.ts';
import { refusalOf, runCli } from '../support/process.ts';
import { createDatabase, engine, template } from '../support/server.ts';

const role = `worktable_reader_${process.pid}`;

/** An up-to-date database, and the environment of a server that uses it. */
async function newDatabase(): Promise<{ admin: string; env: Record<string, string> }> {
  const { env } = await createDatabase();
  return { admin: env['DATABASE_URL'] ?? '', env: { ...env, PORT: '0', LOG_LEVEL: 'silent' } };
}

describe.runIf(engine === 'postgres')('a start ends by itself with a sentence', () => {
  it('when the database is read-only', async () => {
    const { admin, env } = await newDatabase();
    await run(admin, `alter database ${databaseName(admin)} set default_transaction_read_only = on`);

    const start = await runCli(['serve'], env);

    expect(start).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The database is read-only\. Set DATABASE_URL to the primary server, or switch its default_transaction_read_only off\. The driver reports: .*read-only transaction\n$/,
      ),
    });
  });

  it('when the file of an authority is missing', async () => {
    const { env } = await newDatabase();
    const url = `${env['DATABASE_URL'] ?? ''}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`;

    expect(await refusalOf(['serve'], { ...env, DATABASE_URL: url })).toBe(
      "DATABASE_URL names a file in sslrootcert that cannot be read: ENOENT: no such file or directory, open '/nowhere/ca.pem'.\n",
    );
  });

  it('when its user may only read the queue', async () => {
    cleanUpAfter(() => run(template.engine === 'postgres' ? template.url : '', `drop role ${role}`));
    const { admin, env } = await newDatabase();
    await run(
      admin,
      `create role ${role} login password 'x';
       grant select, insert, update, delete on all tables in schema public to ${role};
       grant usage on schema pgboss to ${role};
       grant select on all tables in schema pgboss to ${role}`,
    );
    const own = Object.assign(new URL(admin), { username: role, password: 'x' }).href;

    const start = await runCli(['serve'], { ...env, DATABASE_URL: own });

    expect(start).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^This database user may not create tables, or may not use the existing ones\. Run `node server\/src\/cli\.ts migrate` as their owner and grant rights; see server\/README\.md\. The driver reports: .*permission denied.*\n$/,
      ),
    });
  });
});
