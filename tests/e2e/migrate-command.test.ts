import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { createFolder } from '../support/folder.ts';
import { laterMigration, migrateWith } from '../support/migrations.ts';
import { outputOf, refusalOf } from '../support/process.ts';
import { databaseName, databaseUrl, run, runConnection } from '../support/postgres.ts';
import {
  createDatabase,
  engine,
  isShareable,
  startTestServer,
  template,
  type TestServer,
} from '../support/server.ts';
import type { Migrations } from '../../server/src/db/migrate.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';

const database = await createDatabase();
const folder = await createFolder();

describe.runIf(engine === 'pglite')('an embedded database', () => {
  it.each(['PG_VERSION', 'base/1/PG_VERSION'])('that is damaged stops the start: %s', async (file) => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    await mkdir(join(dataDir, 'database/base/1'), { recursive: true });
    await writeFile(join(dataDir, 'database', file), '99');

    expect(await refusalOf(['migrate'], { DATA_DIR: dataDir })).toBe(
      `The embedded database ${dataDir}/database cannot be opened: it is damaged, or another version of Postgres made it. Restore a backup, or move it away to start with an empty one.\n`,
    );
  });
});

it('the migrate command reports that the database is up to date', async () => {
  expect(await outputOf(['migrate'], database.env)).toBe('The database is up to date.\n');
});

const added = laterMigration('added');
const migrated = {
  warnings: [
    'Another transaction, such as that of pg_dump, uses a table that the migrations change. They are tried again every 5 seconds.',
  ],
  names: [added],
};
const further: Migrations = {
  [added]: {
    oldest: '001-task-tables',
    up: async (db) => {
      await sql`alter table runs add column added text`.execute(db);
    },
  },
};

describe.runIf(isShareable)('a migration of a table that a transaction reads for long', () => {
  let server: TestServer;
  let alice: Client;
  let id: string;
  let url: string;

  beforeAll(async () => {
    server = await startTestServer();
    url = server.env['DATABASE_URL'] ?? '';
    alice = await server.as('alice');
    ({ id } = (await runAgent(alice, await createAgent(alice), 'list my tasks')).body);
  });

  afterAll(() => server.close());

  it('lets requests of running servers through, and runs after that transaction', async () => {
    expect(await migrateDuring({ url, statement: 'select from runs limit 1' })).toEqual(migrated);
  });

  it.runIf(engine === 'citus')('does the same if the transaction is on a worker of the cluster', async () => {
    const { rows } = await run(
      url,
      `select shard_name, nodeport from citus_shards
       where shardid = get_shard_id_for_distribution_column('runs', 'alice')`,
    );
    const [{ shard_name: shard, nodeport: port }] = rows;
    const nodes = template.engine === 'citus' ? template.nodes : [];
    const node = nodes.find((each) => new URL(each).port === String(port));
    const worker = databaseUrl(node ?? '', databaseName(url));

    expect(await migrateDuring({ url: worker, statement: `select from ${shard} limit 1` })).toEqual(migrated);
  });

  /** Migrates while another transaction, which has run the statement, is open. Reads a run between two attempts. */
  async function migrateDuring(other: { url: string; statement: string }): Promise<typeof migrated> {
    // Undoes the migration of the previous test, which servers do not need.
    await run(url, `delete from migrations where name = '${added}'`);
    await run(url, 'alter table runs drop column if exists added');
    const warnings: string[] = [];
    return runConnection(other.url, async (transaction) => {
      await transaction.query('begin');
      await transaction.query(other.statement);
      const migrating = migrateWith(further, server.env, (sentence) => warnings.push(sentence));
      await transaction.waitUntilSomeoneWaits();
      await alice.ok('getRun', { id });
      await transaction.waitUntilSomeoneWaits();
      await alice.ok('getRun', { id });
      await transaction.query('commit');
      return { warnings, names: await migrating };
    });
  }
});
