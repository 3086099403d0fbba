import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { onDatabase } from '../support/on-database.ts';
import { run } from '../support/postgres.ts';
import { runCli } from '../support/process.ts';
import { createDatabase, isShareable, startTestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { type As, onServer } from '../support/user-data.ts';

const spoil = `update task_counts set count = count + 7 where user_id = 'alice' and status = 'todo'`;

async function counts(as: As): Promise<unknown> {
  return (await (await as('alice')).ok('countTasks')).body;
}

it('recount corrects counters that differ from the tasks, and only those', async () => {
  const { env } = await createDatabase();
  const right = await onServer(env, async (as) => {
    for (const status of ['todo', 'todo', 'done'])
      await createTask(await as('alice'), { status, workspace_id: 'home' });
    return counts(as);
  });
  await onDatabase(env, async (db) => {
    await sql.raw(spoil).execute(db);
    await sql`delete from task_counts where user_id = 'alice' and status = 'done'`.execute(db);
  });

  const first = await runCli(['recount'], env);
  const second = await runCli(['recount'], env);

  expect(first.output).toMatch(/^Corrected [23] counters of alice\.\n$/);
  expect(second.output).toBe('All counters are correct.\n');
  expect(await onServer(env, counts)).toEqual(right);
});

it.runIf(isShareable)('recount corrects counters while writers change them', async () => {
  const database = await createDatabase();
  const { env } = database;
  const server = await startTestServer({ sharing: database });
  const alice = await server.as('alice');
  await createTask(alice);
  let isDone = false;
  const write = async (): Promise<void> => {
    while (!isDone) {
      const { id } = await createTask(alice);
      await alice.ok('updateTask', { id, body: { status: 'done' } });
      const other = await createTask(alice);
      await alice.ok('deleteTask', { id: other.id });
    }
  };
  const writers = [write(), write(), write(), write()];

  for (let round = 0; round < 3; round += 1) {
    await run(env['DATABASE_URL'] ?? '', spoil);
    await runCli(['recount'], env);
  }
  isDone = true;
  await Promise.all(writers);

  const { rows } = await run(
    env['DATABASE_URL'] ?? '',
    `select status, count(*)::int as count from tasks where user_id = 'alice' group by 1 order by 1`,
  );
  const { body } = await alice.ok('countTasks');
  expect(body.by_status.toSorted((one, other) => (one.status < other.status ? -1 : 1))).toEqual(rows);
  expect((await runCli(['recount'], env)).output).toBe('All counters are correct.\n');
});
