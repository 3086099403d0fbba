import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../server/src/db/database.ts';
import { shardOfId, shardOfUser } from '../../server/src/ids.ts';
import { createAgent, messagesOf, runAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { testConfig } from '../support/config.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

describe('the schema, to be distributed by user', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createDatabase();
    const config = testConfig({ dataDir: test.env['DATA_DIR'] ?? '', env: test.env });
    database = await openDatabase(config, () => undefined);
  });

  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('has a user in every row, except in tables that belong to no user', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables t
      where table_schema = 'public' and not exists (
        select from information_schema.columns c
        where c.table_name = t.table_name and column_name = 'user_id' and is_nullable = 'NO')
      order by name`.execute(database.db);

    expect(rows.map(({ name }) => name)).toEqual([
      'kysely_migration',
      'rate_limits', // counts of a minute; the key names the caller
    ]);
  });

  it('has keys and indexes that begin with the user, except where an id names the shard', async () => {
    const { rows } = await sql<{ name: string }>`
      select i.indexrelid::regclass::text as name from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where c.relkind = 'r' and a.attname <> 'user_id'
      order by name`.execute(database.db);

    expect(rows.map(({ name }) => name)).toEqual([
      'comments_pkey', // begins with the task's id
      'idempotency_keys_by_age', // for forgetting them
      'kysely_migration_pkey',
      'rate_limits_pkey',
      'tasks_pkey', // the id alone tells whose a task is
    ]);
  });

  it('has references with the user, except where an id names the shard', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from pg_attribute where attrelid = conrelid and attnum = any(conkey) and attname = 'user_id')
    `.execute(database.db);

    expect(rows.map(({ name }) => name)).toEqual(['comments_task_id_fkey']);
  });
});

describe('the data of one user', () => {
  it('carries the same shard in every id', async () => {
    const server = await startTestServer();
    const alice = await server.as('alice');

    const ids = await idsOfEverything(alice);

    expect(ids.length).toBeGreaterThanOrEqual(12);
    expect(new Set(ids.map(shardOfId))).toEqual(new Set([shardOfUser('alice')]));
  });
});

describe.runIf(engine === 'postgres')('every operation', () => {
  it('sends statements about one user, except to create a batch of tasks and to distinguish 403 from 404', async () => {
    const server = await startTestServer();
    const statements = recordStatements();

    await idsOfEverything(await server.as('alice'));
    const task = await createTask(await server.as('alice'));
    await (await server.as('bob')).fails('getTask', 403, { id: task.id });
    statements.stop();

    const others = [...statements.seen].filter((text) => isAboutUsers(text) && !namesTheUser(text));
    expect(others).toEqual([
      expect.stringContaining('insert into tasks'), // of all who create tasks at the same time
      'select user_id from tasks where id = $1',
    ]);
    expect([...statements.seen].filter(isAboutUsers).length).toBeGreaterThan(20);
  });
});

/** The ids of one row at least of every table, read as callers do. */
async function idsOfEverything(client: Client): Promise<string[]> {
  const headers = { 'Idempotency-Key': 'once' };
  const { id } = (await client.ok('createTask', { body: { title: 'A task' }, headers })).body.task;
  await client.ok('updateTask', { id, body: { status: 'done' } });
  await client.ok('assignTask', { id, body: { assignee_id: 'bob', assignee_name: 'Bob' } });
  await client.ok('createComment', { id, body: { body: 'Hi' } });
  const agent = await createAgent(client);
  const { body: run } = await runAgent(client, agent, 'list my tasks', { context: { task_id: id } });
  await client.ok('getSession', { id: run.session_id });
  const messages = await messagesOf(client, run.session_id);
  const { agents } = (await client.ok('listAgents')).body;
  const comments = (await client.ok('listComments', { id })).body;
  const removed = await createTask(client);
  await client.ok('deleteTask', { id: removed.id });
  const tasks = (await client.ok('listTasks', { query: { q: 'task', status: 'done' } })).body.tasks;
  const log = (await client.ok('listAuditLogs', { id })).body;
  const rows = [...tasks, ...comments, ...log, ...agents, ...messages, run, { id: run.session_id }];
  return rows.map((row) => row.id);
}

/** Keeps the texts of the statements that this process sends to Postgres. */
function recordStatements(): { readonly seen: Set<string>; stop(): void } {
  type Query = (this: pg.Client, statement: string | { text: string }, ...others: unknown[]) => unknown;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its `this` below.
  const query = pg.Client.prototype.query as Query;
  const seen = new Set<string>();
  const recording: Query = function (statement, ...others) {
    seen.add(typeof statement === 'string' ? statement : statement.text);
    return query.call(this, statement, ...others);
  };
  pg.Client.prototype.query = recording as typeof pg.Client.prototype.query;
  return {
    seen,
    stop: () => {
      pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
    },
  };
}

/** The job queue has tables of its own, which are nobody's. */
function isAboutUsers(statement: string): boolean {
  if (statement.includes('pgboss')) return false;
  return /\b(tasks|comments|audit_logs|idempotency_keys|agents|sessions|runs|messages)\b/.test(statement);
}

function namesTheUser(statement: string): boolean {
  return /\buser_id"? = \$\d|^\s*insert into "\w+" \([^)]*"user_id"/.test(statement);
}
