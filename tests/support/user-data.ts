import { sql } from 'kysely';
import { allPages } from './pages.ts';
import { createAgent, runAgent } from './agents.ts';
import type { Client } from './client.ts';
import { onDatabase } from './on-database.ts';
import { createTask } from './tasks.ts';
import type { Template } from './databases.ts';
import { databaseName } from './postgres.ts';
import { createDatabase, startTestServer, template, type TestDatabase } from './server.ts';

/** Names of users that occur nowhere else. */
export const [erased, kept] = ['erased-d8Qx', 'kept-w3Rz'];

/** A database with two users, without a server. */
export async function filledDatabase(): Promise<TestDatabase['env']> {
  const database = await createDatabase();
  await onServer(database.env, async (as) => {
    for (const name of [erased, kept]) await fillUser(await as(name), name);
  });
  return database.env;
}

/** A copy of the database with two users, for a test that changes it. No server may be using the original. */
export async function copyOf(env: TestDatabase['env']): Promise<TestDatabase['env']> {
  if (template.engine === 'citus') return filledDatabase();
  const source: Template =
    template.engine === 'pglite'
      ? { engine: 'pglite', folder: env['DATA_DIR'] ?? '' }
      : { ...template, template: databaseName(env['DATABASE_URL'] ?? '') };
  return (await createDatabase(source)).env;
}

export type As = (user: string) => Promise<Client>;

/** Starts a server on an existing database, and stops it after `use`. */
export async function onServer<Result>(
  env: TestDatabase['env'],
  use: (as: As) => Promise<Result>,
): Promise<Result> {
  const server = await startTestServer({ sharing: { env } });
  try {
    return await use((user) => server.as(user));
  } finally {
    await server.close();
  }
}

/** Writes rows of the client's user to every table, including a deleted task, a finished run and a waiting run. */
export async function fillUser(client: Client, name: string): Promise<void> {
  const ascii = name.replaceAll(/[^\w-]/g, '-');
  for (let number = 1; number <= 5; number += 1) {
    const fields = { title: `${name} ${number}`, tags: `own,${name}`, workspace_id: `home of ${name}` };
    const { id } = await createTask(client, { ...fields, assignee_id: name });
    await client.ok('updateTask', { id, body: { status: 'done', description: `by ${name}` } });
    await client.ok('createComment', { id, body: { body: `Comment of ${name}` } });
    if (number === 5) await client.ok('deleteTask', { id });
  }
  await client.ok('createTask', {
    body: { title: `Keyed ${name}` },
    headers: { 'Idempotency-Key': `key-of-${ascii}` },
  });
  const agent = await createAgent(client, { name: `Agent of ${name}`, approvals: ['create_task'] });
  const context = { session_id: `session-of-${ascii}` };
  await runAgent(client, agent, 'list my tasks', { context });
  await runAgent(client, agent, `create a task titled Waiting ${name}`, { context });
}

/** All data that the client's user can read: lists, counts, logs, changes, sessions and their messages. */
export async function readUser(client: Client): Promise<unknown> {
  const tasks = (await client.ok('listTasks', { query: { sort: 'created_at' } })).body;
  const { sessions } = (await client.ok('listSessions')).body;
  return {
    tasks,
    tagged: (await client.ok('listTasks', { query: { tag: 'own' } })).body,
    counts: (await client.ok('countTasks')).body,
    comments: await each(tasks.tasks, ({ id }) => client.ok('listComments', { id })),
    logs: await each(tasks.tasks, ({ id }) => client.ok('listAuditLogs', { id })),
    changes: (await client.ok('listChanges', { query: { after: '0', limit: 1000 } })).body.changes,
    agents: (await client.ok('listAgents')).body,
    sessions,
    runs: (await allPages(client, 'listRuns', { query: { limit: 2 } })).flat(),
    messages: await each(sessions, ({ id }) => client.ok('listMessages', { id })),
  };
}

async function each<Entry, Body>(
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<{ readonly body: Body }>,
): Promise<Body[]> {
  const bodies: Body[] = [];
  for (const entry of entries) bodies.push((await read(entry)).body);
  return bodies;
}

/** The tables of all schemas with rows that contain a text, and the number of these rows. */
export async function searchDatabase(
  env: TestDatabase['env'],
  text: string,
): Promise<Readonly<Record<string, number>>> {
  return onDatabase(env, async (db) => {
    // Leaves out tables of extensions, such as Citus.
    const { rows: tables } = await sql<{ name: string }>`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`.execute(db);
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.raw(name)} searched where strpos(searched::text, ${text}) > 0`.execute(
        db,
      );
      if ((rows[0]?.count ?? 0) > 0) found[name] = rows[0]?.count ?? 0;
    }
    return found;
  });
}
