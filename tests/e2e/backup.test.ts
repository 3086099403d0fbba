import { spawnSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { createFolder } from '../support/folder.ts';
import { versionOf } from '../support/installed.ts';
import { databaseName, databaseUrl, run } from '../support/postgres.ts';
import { localToken, startProcess } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';
import { fillUser, readUser } from '../support/user-data.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await createFolder();
});

it.runIf(engine === 'pglite')('a copy of the data folder of a stopped server is a backup', async () => {
  const server = await startProcess({ ...database.env, ...noLimits });
  const token = await localToken(database.env);
  const before = await filled(new Client(server, token));
  await server.stop('SIGTERM');

  await copyFolder(database.env['DATA_DIR'] ?? '', folder);

  expect(await restored({ DATA_DIR: folder }, token)).toEqual(before);
});

it.runIf(engine === 'postgres')(
  'a dump of a running server, with its local key, is a backup',
  async (test) => {
    const url = database.env['DATABASE_URL'] ?? '';
    test.skip(
      !(await canDump(url)),
      'pg_dump is missing or older than the server. Install postgresql-client.',
    );
    const server = await startProcess({ ...database.env, ...noLimits });
    const token = await localToken(database.env);
    const before = await filled(new Client(server, token));

    await cp(join(database.env['DATA_DIR'] ?? '', 'token.key'), join(folder, 'token.key'));
    await server.stop('SIGTERM');
    await restoreAsDocumented(url);
    const name = `${databaseName(url)}_restored`;

    const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl(url, name) };
    expect(await restored(env, token)).toEqual(before);
    await run(url, `drop database ${name} with (force)`);
  },
);

/** Runs the commands for a backup in server/README.md, with the name of this database. */
async function restoreAsDocumented(url: string): Promise<void> {
  const page = await readFile(join(import.meta.dirname, '../../server/README.md'), 'utf8');
  const commands = /^pg_dump .*\n(?:.+\n)*pg_restore .*$/m.exec(page)?.[0] ?? '';
  const { hostname, port, username, password } = new URL(url);
  const { status, stderr } = spawnSync(
    'bash',
    ['-ec', commands.replaceAll(/\bworktable(?=$|_| )/gm, databaseName(url))],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: decodeURIComponent(password) },
      },
    },
  );
  if (status !== 0)
    throw new Error(`The commands of server/README.md ended with ${String(status)}: ${stderr}`);
}

/** What a server on the restored database returns to a user, whose token the first server has issued. */
async function restored(env: Record<string, string>, token: string): Promise<unknown> {
  const server = await startProcess({ ...env, ...noLimits });
  const everything = await readUser(new Client(server, token));
  await server.stop('SIGTERM');
  return everything;
}

/** Everything of a user, after writing to every table. */
async function filled(client: Client): Promise<unknown> {
  await fillUser(client, 'kept');
  return readUser(client);
}

async function canDump(url: string): Promise<boolean> {
  const { rows } = await run(url, 'show server_version_num');
  const { server_version_num: version } = rows[0] as { server_version_num: string };
  const dump = /\) (\d+)/.exec(versionOf('pg_dump') ?? '')?.[1];
  return Number(dump) >= Math.floor(Number(version) / 10_000);
}
