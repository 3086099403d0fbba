import { sql } from 'kysely';
import { openDatabase } from '../../server/src/db/database.ts';
import { allPages } from './pages.ts';
import { createAgent, runAgent } from './agents.ts';
import type { Client } from './client.ts';
import { testConfig } from './config.ts';
import { createTask } from './tasks.ts';
import type { TestDatabase } from './server.ts';

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
  const database = await openDatabase(testConfig({ dataDir: env['DATA_DIR'] ?? '', env }));
  try {
    // Leaves out tables of extensions, such as Citus.
    const { rows: tables } = await sql<{ name: string }>`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`.execute(
      database.db,
    );
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.raw(name)} searched where strpos(searched::text, ${text}) > 0`.execute(
        database.db,
      );
      if ((rows[0]?.count ?? 0) > 0) found[name] = rows[0]?.count ?? 0;
    }
    return found;
  } finally {
    await database.close();
  }
}
