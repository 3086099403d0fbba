import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { beforeAll, expect, it } from 'vitest';
import { noLimits } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { createFolder } from '../support/folder.ts';
import { versionOf } from '../support/installed.ts';
import { databaseName, databaseUrl, programEnvironment, run } from '../support/postgres.ts';
import { localToken, startProcess } from '../support/process.ts';
import { createDatabase, engine, template, type TestDatabase } from '../support/server.ts';
import { fillUser, onServer, readUser } from '../support/user-data.ts';
import { createCitusDatabase } from '../support/citus.ts';
import { cleanUpAfter } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';
import { archiveAll, backUp, findPrograms, restore, startCluster } from '../support/restored-cluster.ts';
import { runCommand } from '../support/server-process.ts';
import { createTask } from '../support/tasks.ts';

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
  const { status, stderr } = spawnSync(
    'bash',
    ['-ec', commands.replaceAll(/\bworktable(?=$|_| )/gm, databaseName(url))],
    { cwd: folder, encoding: 'utf8', env: programEnvironment(url) },
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

const users = ['alice', 'bob', 'carol', 'dave'];
const shared = template.engine === 'citus' ? template.nodes[0] : undefined;

/** This test follows the steps of "Backup and restore" in server/citus.md. */
it.runIf(engine === 'citus')(
  'a cluster is restored to a restore point next to the one in production, which it does not touch',
  async (test) => {
    const programs = await findPrograms(shared ?? '');
    if (programs === undefined)
      return test.skip('The nodes of TEST_CITUS_URL run on other machines, so no programs can be started.');
    const folder = await mkdtemp(join(tmpdir(), 'worktable-cluster-'));
    await chmod(folder, 0o755);
    cleanUpAfter(() => rm(folder, { recursive: true, force: true }));
    const nodes = await startCluster(programs, folder);
    const name = 'restored';
    const database = { DATA_DIR: folder, DATABASE_URL: await createCitusDatabase(nodes, name) };
    await runCommand('migrate', database);
    await runCommand('distribute', database);
    const titled = (title: string) =>
      onServer(database, async (as) => {
        for (const user of users) await createTask(await as(user), { title });
      });

    await titled('in the base backup');
    const backups = await backUp(programs, nodes, folder);
    await titled('in the archive');
    await run(database.DATABASE_URL, `select citus_create_restore_point('rehearsal')`);
    await titled('after the restore point');
    await archiveAll(backups);
    const ports = [await freePort(), await freePort(), await freePort()];
    const restored = await restore(programs, backups, { point: 'rehearsal', ports });
    const inDatabase = restored.map((node) => databaseUrl(node, name));
    for (const node of inDatabase) {
      for (const [i, port] of ports.entries()) {
        const { port: oldPort } = new URL(nodes[i] ?? '');
        await run(node, `update pg_dist_node set nodeport = ${port} where nodeport = ${oldPort}`);
      }
      expect(await nodePorts(node)).toEqual(ports.toSorted());
    }
    const env = { ...database, DATABASE_URL: inDatabase[0] ?? '' };
    await run(env.DATABASE_URL, 'select recover_prepared_transactions()');

    const titles = async (as: (user: string) => Promise<Client>): Promise<string[][]> => {
      const lists = [];
      for (const user of users) {
        const { tasks } = (await (await as(user)).ok('listTasks', { query: { sort: 'created_at' } })).body;
        lists.push(tasks.map(({ title }) => title));
      }
      return lists;
    };
    const atPoint = ['in the base backup', 'in the archive'];
    await onServer(env, async (as) => {
      expect(await titles(as)).toEqual(users.map(() => atPoint));
      for (const user of users) await createTask(await as(user), { title: 'in the restored cluster' });
    });
    await onServer(database, async (as) => {
      expect(await titles(as)).toEqual(users.map(() => [...atPoint, 'after the restore point']));
    });
    const oldPorts = nodes.map((node) => Number(new URL(node).port)).toSorted();
    for (const node of nodes) expect(await nodePorts(databaseUrl(node, name))).toEqual(oldPorts);
  },
);

async function nodePorts(url: string): Promise<number[]> {
  const { rows } = await run(url, 'select nodeport from pg_dist_node order by nodeport');
  return rows.map(({ nodeport }: { nodeport: number }) => nodeport);
}
