import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../server/src/db/database.ts';
import * as tasks from '../../server/src/db/migrations/001-tasks.ts';
import * as idempotencyKeys from '../../server/src/db/migrations/002-idempotency-keys.ts';
import * as agents from '../../server/src/db/migrations/003-agents.ts';
import * as rateLimits from '../../server/src/db/migrations/004-rate-limits.ts';
import { newId } from '../../server/src/ids.ts';
import type { Client } from '../support/client.ts';
import { testConfig } from '../support/config.ts';
import { createDatabase, startTestServer } from '../support/server.ts';

const older: Readonly<Record<string, Migration>> = {
  '001-tasks': tasks,
  '002-idempotency-keys': idempotencyKeys,
  '003-agents': agents,
  '004-rate-limits': rateLimits,
};
const tags = ['urgent', 'Ünïcode, "quoted"', 'x'.repeat(500), '🙂'];
const taskId = newId();
let alice: Client;

beforeAll(async () => {
  const test = await createDatabase();
  const config = testConfig({ dataDir: test.env['DATA_DIR'] ?? '', env: test.env });
  const database = await openDatabase(config);
  const db = database.db;
  await sql`drop schema if exists pgboss cascade`.execute(db);
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  for (const [name, migration] of Object.entries(older)) {
    await migration.up(db);
    await sql`insert into kysely_migration values (${name}, now()::text)`.execute(db);
  }
  const [at, text] = [sql`now()`, JSON.stringify(tags)];
  await sql`
    insert into tasks (id, user_id, title, status, priority, tags, tag_list, created_at, updated_at)
    values (${taskId}, 'alice', 'Old', 'todo', 'none', ${text}, ${tags}, ${at}, ${at})`.execute(db);
  await sql`
    insert into tasks (id, user_id, workspace_id, title, status, priority, tag_list, created_at, updated_at)
    select gen_random_uuid(), 'alice', 'home', 'Bulk', 'done', 'none', array['urgent', 'urgent'], now(), now()
    from generate_series(1, 30)`.execute(db);
  await sql`
    insert into comments (id, task_id, user_id, body, author_id, author_name, created_at)
    values (${newId()}, ${taskId}, 'alice', 'An old comment', 'alice', 'Alice', ${at})`.execute(db);
  await database.close();
  const server = await startTestServer({ sharing: test });
  alice = await server.as('alice');
});

it('a database of an earlier version keeps its tasks and comments', async () => {
  const { task } = (await alice.ok('getTask', { id: taskId })).body;
  const comments = (await alice.ok('listComments', { id: taskId })).body;

  expect([task.title, task.tags]).toEqual(['Old', JSON.stringify(tags)]);
  expect(comments.map(({ body }) => body)).toEqual(['An old comment']);
});

it('a database of an earlier version gets exact counts', async () => {
  const counts = await Promise.all(
    [{}, { workspace_id: 'home' }, { status: 'todo' }].map((query) => alice.ok('listTasks', { query })),
  );

  expect(counts.map(({ body }) => body.count)).toEqual([31, 30, 1]);
});

it('tasks of an earlier version are found by their tags', async () => {
  const counts = await Promise.all(
    tags.map(async (tag) => (await alice.ok('listTasks', { query: { tag } })).body.count),
  );

  expect(counts).toEqual([31, 1, 1, 1]);
});

it('a comment of an earlier version is deleted with its task', async () => {
  await alice.ok('deleteTask', { id: taskId });

  await alice.fails('listComments', 404, { id: taskId });
  expect((await alice.ok('listTasks', { query: { tag: '🙂' } })).body.count).toBe(0);
});
