import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import type { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { databaseName, databaseUrl, run } from '../support/postgres.ts';
import { archiveAll, backUp, findPrograms, restore } from '../support/restored-cluster.ts';
import { createDatabase, engine, template } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { onServer } from '../support/two-users.ts';

const users = ['alice', 'bob', 'carol', 'dave'];
const nodes = template.engine === 'citus' ? template.nodes : [];

/** This test follows the steps of "Backup and restore" in server/citus.md. */
it.runIf(engine === 'citus')(
  'a cluster is restored to a restore point next to the one in production, which it does not touch',
  async (test) => {
    const programs = await findPrograms(nodes[0] ?? '');
    if (programs === undefined) {
      test.skip(
        'The nodes of TEST_CITUS_URL are on other machines, so no base backup of them can be started here.',
      );
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'worktable-cluster-'));
    await chmod(folder, 0o755);
    cleanUpAfter(() => rm(folder, { recursive: true, force: true }));
    const database = await createDatabase();
    const name = databaseName(database.env['DATABASE_URL'] ?? '');
    const titled = (title: string) =>
      onServer(database.env, async (as) => {
        for (const user of users) await createTask(await as(user), { title });
      });

    await titled('in the base backup');
    const backups = await backUp(programs, nodes, folder);
    await titled('in the archive');
    await run(database.env['DATABASE_URL'] ?? '', `select citus_create_restore_point('rehearsal')`);
    await titled('after the restore point');
    await archiveAll(backups);
    const ports = [await freePort(), await freePort(), await freePort()];
    const restored = await restore(programs, backups, { point: 'rehearsal', ports });
    const inDatabase = restored.map((node) => databaseUrl(node, name));
    for (const node of inDatabase) {
      for (const [i, port] of ports.entries())
        await run(
          node,
          `update pg_dist_node set nodeport = ${port} where nodeport = ${new URL(nodes[i] ?? '').port}`,
        );
      expect(await nodePorts(node)).toEqual(ports.toSorted());
    }
    const env = { ...database.env, DATABASE_URL: inDatabase[0] ?? '' };
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
    await onServer(database.env, async (as) => {
      expect(await titles(as)).toEqual(users.map(() => [...atPoint, 'after the restore point']));
    });
    for (const node of nodes)
      expect(await nodePorts(databaseUrl(node, name))).toEqual(
        nodes.map((each) => Number(new URL(each).port)).toSorted(),
      );
  },
);

async function nodePorts(url: string): Promise<number[]> {
  const { rows } = await run(url, 'select nodeport from pg_dist_node order by nodeport');
  return rows.map(({ nodeport }: { nodeport: number }) => nodeport);
}
