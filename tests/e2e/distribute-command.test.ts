import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { Migrations } from '../../server/src/db/migrate.ts';
import { createCitusDatabase, dropCitusDatabase } from '../support/citus.ts';
import { laterMigration, migrateWith } from '../support/migrations.ts';
import { run } from '../support/postgres.ts';
import { refusalOf, runCli, startProcess } from '../support/process.ts';
import { createDatabase, engine, template } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { secret } from '../support/tokens.ts';

const everyTable =
  'tasks, task_tags, task_counts, comments, audit_logs, idempotency_keys, agents, sessions, runs, messages';

it.runIf(engine !== 'citus')('distribute without Citus says what it needs', async () => {
  const { env } = await createDatabase();

  expect(await refusalOf(['distribute'], env)).toBe(
    engine === 'pglite'
      ? 'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.\n'
      : 'This database does not have the extension citus. Set DATABASE_URL to the coordinator of a Citus cluster, and run `create extension citus` on each of its nodes.\n',
  );
});

describe.runIf(engine === 'citus')('distribute', () => {
  const created: string[] = [];
  const nodes = template.engine === 'citus' ? template.nodes : [];

  /** Creates an empty database on every node of the cluster. */
  async function newDatabase(): Promise<string> {
    const name = `worktable_distribute_${randomUUID().slice(0, 8)}`;
    created.push(name);
    return createCitusDatabase(nodes, name);
  }

  const cli = (command: string, url: string): ReturnType<typeof runCli> =>
    runCli([command], { DATABASE_URL: url });

  const distributed = (url: string): Promise<number> =>
    run(url, `select from pg_dist_partition where partmethod = 'h'`).then(({ rowCount }) => rowCount ?? 0);

  afterAll(async () => {
    for (const name of created) await dropCitusDatabase(nodes, name);
  });

  it('changes nothing before all migrations have run', async () => {
    const url = await newDatabase();
    const needsMigrations = {
      code: 1,
      output: expect.stringMatching(/^The database lacks the migrations .* migrate`/),
    };
    expect(await cli('distribute', url)).toEqual(needsMigrations);

    await cli('migrate', url);
    await run(url, 'delete from migrations');

    expect(await cli('distribute', url)).toEqual(needsMigrations);
    expect(await distributed(url)).toBe(0);
  });

  it('moves the rows of a running server, which goes on, and does nothing the second time', async () => {
    const url = await newDatabase();
    const server = await startProcess({ DATABASE_URL: url, JWT_SECRET: secret });
    const alice = await server.as('alice');
    const { id } = await createTask(alice, { tags: 'moved' });
    await alice.ok('createComment', { id, body: { body: 'Moved, too' } });

    const first = await cli('distribute', url);
    const second = await cli('distribute', url);

    expect(first.code).toBe(0);
    expect(first.output).toContain(`Distributed these tables over the workers: ${everyTable}.`);
    expect(first.output).toContain('Restart servers that are running');
    expect(second).toEqual({ code: 0, output: 'The tables are already distributed.\n' });
    expect((await alice.ok('listComments', { id })).body).toHaveLength(1);
    await createTask(alice, { tags: 'moved' });
    expect((await alice.ok('listTasks', { query: { tag: 'moved' } })).body.count).toBe(2);
  });

  it('is not needed again after a migration that adds and fills a table', async () => {
    const url = await newDatabase();
    const before = await startProcess({ DATABASE_URL: url, JWT_SECRET: secret });
    await createTask(await before.as('alice'), { tags: 'b' });
    await before.stop('SIGTERM');
    await run(url, 'drop table task_tags');
    for (const table of everyTable.split(', ').filter((name) => name !== 'task_tags'))
      await run(url, `select create_distributed_table('${table}', 'user_id')`);

    const name = laterMigration('tags');
    expect(await migrateWith({ [name]: addTable }, { DATABASE_URL: url })).toEqual([name]);

    expect(await distributed(url)).toBe(everyTable.split(', ').length);
    const server = await startProcess({ DATABASE_URL: url, JWT_SECRET: secret });
    const alice = await server.as('alice');
    expect((await alice.ok('listTasks', { query: { tag: 'b' } })).body.count).toBe(1);
  });
});

const addTable: Migrations[string] = {
  oldest: '001-task-tables',
  up: async (db) => {
    await sql`
      create table task_tags (
        user_id text not null,
        tag_key bigint not null,
        created_at timestamptz(3) not null,
        task_id uuid not null,
        primary key (user_id, tag_key, created_at, task_id)
      )`.execute(db);
    await sql`
      insert into task_tags (user_id, tag_key, created_at, task_id)
      select user_id, unnest(tag_keys), created_at, id from tasks`.execute(db);
  },
};
