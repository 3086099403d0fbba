import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { migrateByCommand } from '../support/migrate.ts';
import { run, runConnection } from '../support/postgres.ts';
import { engine, startTestServer, type TestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';

const workspaces = ['home', 'work', null];
const statuses = ['todo', 'done', 'blocked'];
const lists = ['', 'workspace_id=home', 'workspace_id=work'].flatMap((workspace) =>
  ['', 'status=todo', 'status=done&status=blocked', 'status=done&status=done'].map(
    (status) => `${workspace}&${status}&limit=1000`,
  ),
);

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

/** The lists whose count is not the number of the tasks in them, which are all. */
async function untrueCounts(client: Client): Promise<string[]> {
  const answers = await Promise.all(lists.map((query) => client.ok('listTasks', { query })));
  const told = answers.map(({ body }, n) => ({
    count: body.count,
    tasks: body.tasks.length,
    query: lists[n],
  }));
  return told
    .filter(({ count, tasks }) => count !== tasks)
    .map(({ count, tasks, query }) => `${query}: ${count} for ${tasks}`);
}

/** Creates tasks, and changes and deletes those that others of its kind change and delete at the same time. */
async function hammer(client: Client, ids: string[], worker: number): Promise<number[]> {
  const seen: number[] = [];
  for (let n = 0; n < 15; n += 1) {
    const place = { title: 'A task', workspace_id: workspaces[(worker + n) % 3], status: statuses[n % 3] };
    const { body } = await client.ok('createTask', { body: place });
    ids.push(body.task.id);
    const other = { workspace_id: workspaces[n % 3], status: statuses[(worker + 2 * n) % 3] };
    const changed = await client.send('updateTask', { id: ids[(7 * n) % ids.length], body: other });
    const deleted = await client.send('deleteTask', {
      id: ids[(5 * worker + 11 * n) % ids.length],
      headers: n % 2 === 0 ? {} : { 'If-Match': '"1"' },
    });
    seen.push(changed.status, deleted.status);
  }
  return seen;
}

async function watch(client: Client): Promise<string[]> {
  const untrue: string[] = [];
  for (let n = 0; n < 5; n += 1) untrue.push(...(await untrueCounts(client)));
  return untrue;
}

it('the count of each list is the number of its tasks, even while six clients create, change and delete', async () => {
  const client = await server.as('hammered');
  const ids = [(await createTask(client)).id];

  const work = Array.from({ length: 6 }, (_, worker) => hammer(client, ids, worker));
  const untrue = await watch(client);
  const seen = new Set((await Promise.all(work)).flat());

  expect(untrue).toEqual([]);
  expect(await untrueCounts(client)).toEqual([]);
  expect(seen.difference(new Set([200, 404, 412]))).toEqual(new Set());
});

it('a task that is created twice under one Idempotency-Key counts once', async () => {
  const client = await server.as('repeater');
  const request = { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'once' } };

  await client.ok('createTask', request);
  await client.ok('createTask', request);

  expect((await client.ok('listTasks')).body.count).toBe(1);
});

describe.runIf(engine === 'postgres')('without the server, in SQL,', () => {
  const insertFor = (user: string): string => `
    insert into tasks (id, user_id, workspace_id, title, status, priority, tag_list, created_at, updated_at)
    select gen_random_uuid(), '${user}', case n % 2 when 0 then 'home' end, 'Bulk', 'todo', 'none', '{}', now(), now()
    from generate_series(1, 300) n`;

  it.each([
    ['insert', 'select 1', 300],
    ['update', `update tasks set status = 'done', workspace_id = 'work' where user_id = 'update'`, 300],
    ['delete', `delete from tasks where user_id = 'delete' and workspace_id = 'home'`, 150],
    ['undone delete', 'begin; delete from tasks; rollback', 300],
  ])('the %s of many rows is counted as well', async (user, statement, count) => {
    await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(insertFor(user));
      await connection.query(statement);
    });

    const client = await server.as(user);

    expect((await client.ok('listTasks')).body.count).toBe(count);
    expect(await untrueCounts(client)).toEqual([]);
  });

  it('the previous values of a task leave no counter', async () => {
    const client = await server.as('restless');
    const { id } = await createTask(client, { status: 'first' });
    for (const status of ['second', 'third']) await client.ok('updateTask', { id, body: { status } });
    const query = `select status, count::int from task_counts where user_id = 'restless'`;
    const { rows: counters } = await run(server.env['DATABASE_URL'] ?? '', query);
    await client.ok('deleteTask', { id });
    const { rows: left } = await run(server.env['DATABASE_URL'] ?? '', query);

    expect(counters).toEqual([{ status: 'third', count: 1 }]);
    expect(left).toEqual([]);
  });

  it('a truncation leaves no count', async () => {
    const own = await startTestServer();
    await runConnection(own.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(insertFor('bulk'));
      await connection.query('truncate tasks cascade');
    });

    expect((await (await own.as('bulk')).ok('listTasks')).body.count).toBe(0);
  });

  it('the migration counts tasks that are older than the counters', async () => {
    const own = await startTestServer();
    await runConnection(own.env['DATABASE_URL'] ?? '', async (connection) => {
      const functions = ['insert', 'update', 'delete', 'truncate'].map((event) => `count_task_${event}()`);
      await connection.query(`drop function ${functions.join(', ')} cascade; drop table task_counts`);
      await connection.query(`delete from kysely_migration where name = '005-task-counts'`);
      await connection.query(insertFor('bulk'));
    });

    await migrateByCommand(own.env);

    expect(await untrueCounts(await own.as('bulk'))).toEqual([]);
  });
});
