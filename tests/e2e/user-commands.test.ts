import { describe, expect, it } from 'vitest';
import { userTableNames } from '../../server/src/db/tables.ts';
import { createAgent } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { killedAt } from '../support/killed-servers.ts';
import { modelEnv, startModelServer } from '../support/model-server.ts';
import { run, runConnection } from '../support/postgres.ts';
import { outputOf, refusalOf, runCli } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';
import {
  copyOf,
  erased,
  filledDatabase,
  fillUser,
  kept,
  onServer,
  readUser,
  searchDatabase,
} from '../support/user-data.ts';
import { startedRun } from '../support/with-model.ts';
import { createTask } from '../support/tasks.ts';

const tablesOfUsers = [...userTableNames, 'rate_limits'];

const filled = await filledDatabase();

describe('user delete', () => {
  it('leaves nothing of the user in any column of any table, and everything of others', async () => {
    const env = await copyOf(filled);
    const before = await onServer(env, async (as) => readUser(await as(kept)));
    const found = await searchDatabase(env, erased);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(tablesOfUsers));

    expect(await outputOf(['user', 'delete', erased], env)).toMatch(
      /^Deleted .*\b4 comments.*\b5 tasks\. The database has nothing more/,
    );
    expect(await searchDatabase(env, erased)).toEqual({});
    expect(await onServer(env, async (as) => readUser(await as(kept)))).toEqual(before);
  });

  it.runIf(engine === 'postgres')('that is killed leaves the rest to the next call', async () => {
    const env = await copyOf(filled);
    const rows = await countRows(env);

    for (const kill of ['delete from "messages"', 'delete from "comments"', 'delete from "tasks"'])
      await runCli(['user', 'delete', erased], { ...env, ...killedAt('before 1', kill) });
    expect(await countRows(env)).toBeLessThan(rows);
    await outputOf(['user', 'delete', erased], env);

    expect(await searchDatabase(env, erased)).toEqual({});
    expect(await refusalOf(['user', 'delete', erased], env)).toBe(
      `This database has nothing of the user ${erased}.\n`,
    );
  });

  it.runIf(engine === 'postgres')('ends a run that a server executes', async () => {
    const env = await copyOf(filled);

    await duringRun(env, async (client) => {
      await outputOf(['user', 'delete', erased], env);
      expect((await client.ok('listTasks')).body.count).toBe(0);
    });

    expect(await searchDatabase(env, erased)).toEqual({});
  });

  it.runIf(engine === 'postgres')(
    'also deletes a session that begins before its agent is deleted',
    async () => {
      const env = await copyOf(filled);
      // Delete all other rows, so that only the new session can make the command delete a second time.
      const others = userTableNames.toReversed().filter((table) => table !== 'agents');
      for (const table of [...others, 'rate_limits'])
        await run(env['DATABASE_URL'] ?? '', `delete from ${table}`);

      await runConnection(env['DATABASE_URL'] ?? '', async (connection) => {
        await connection.query('begin');
        await connection.query('select from agents for update');
        const command = runCli(['user', 'delete', erased], env);
        await connection.waitUntilSomeoneWaits();
        await connection.query(sessionOf(erased));
        await connection.query('commit');
        expect(await command).toEqual({ code: 0, output: expect.stringMatching(/^Deleted .* sessions/) });
      });

      expect(await searchDatabase(env, erased)).toEqual({});
    },
  );
});

async function countRows(env: TestDatabase['env']): Promise<number> {
  return Object.values(await searchDatabase(env, erased)).reduce((sum, count) => sum + count, 0);
}

/** Calls a function while a server on the database executes a run of the user. */
async function duringRun(env: TestDatabase['env'], use: (client: Client) => Promise<void>): Promise<void> {
  const model = await startModelServer();
  await onServer({ ...env, ...modelEnv(model) }, async (as) => {
    const alice = await as(erased);
    await startedRun({ model, alice, agent: await createAgent(alice, { runtime: 'local' }) }, 's');
    await use(alice);
  });
}

/** A statement that creates a session with one of the user's agents. */
function sessionOf(userId: string): string {
  return `insert into sessions (user_id, id, agent_id, message_count, created_at, updated_at)
    select user_id, 'begun meanwhile', id, 0, now(), now() from agents where user_id = '${userId}' limit 1`;
}

describe('user export', () => {
  it('prints each row of the user, and none of others', async () => {
    const found = await searchDatabase(filled, erased);

    const lines = (await outputOf(['user', 'export', erased], filled))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });

    expect(new Set(lines.map(({ row }) => row['user_id']))).toEqual(new Set([erased]));
    const counts = Object.groupBy(lines, ({ table }) => table);
    for (const table of userTableNames) expect(counts[table], table).toHaveLength(found[table] ?? 0);
    expect(lines).toContainEqual({
      table: 'tasks',
      row: expect.objectContaining({ title: `${erased} 1`, status: 'done', description: `by ${erased}` }),
    });
  });

  it.runIf(engine === 'postgres')(
    'prints all pages as they were when it began, whatever is written meanwhile',
    async () => {
      const env = await copyOf(filled);
      const url = env['DATABASE_URL'] ?? '';
      // More rows than one page.
      await run(
        url,
        `insert into idempotency_keys (user_id, key, request_hash, reply, created_at)
        select '${erased}', n::text, 'hash', '{}', now() from generate_series(1, 1500) n`,
      );

      const output = await runConnection(url, async (connection) => {
        await connection.query('begin; lock table messages');
        const command = outputOf(['user', 'export', erased], env);
        await connection.waitUntilSomeoneWaits();
        await connection.query("update messages set content = 'written meanwhile'");
        await connection.query('commit');
        return command;
      });

      expect(output.match(/"table":"idempotency_keys"/g)).toHaveLength(1501);
      expect(output).toContain('"table":"messages"');
      expect(output).not.toContain('written meanwhile');
    },
  );
});

describe('user copy', () => {
  const target = (env: TestDatabase['env']): string => env['DATABASE_URL'] ?? env['DATA_DIR'] ?? '';

  it('copies a user into a database that has other users', async () => {
    const other = await createDatabase();
    const before = await onServer(filled, async (as) => readUser(await as(erased)));
    await onServer(other.env, async (as) => fillUser(await as('carol'), 'carol'));

    const command = ['user', 'copy', erased, '--to', target(other.env)];
    expect(await outputOf(command, filled)).toMatch(/^Copied 5 tasks, /);
    await onServer(other.env, async (as) => {
      const copied = await as(erased);
      expect(await readUser(copied)).toEqual(before);
      const { body } = await copied.ok('listChanges', { query: { after: 'now' } });
      const { id } = await createTask(copied, { title: 'Later' });
      const later = (await copied.ok('listChanges', { query: { after: body.next } })).body.changes;
      expect(later.map(({ task_id: task }) => task)).toEqual([id]);
      expect((await (await as('carol')).ok('listTasks')).body.count).toBe(5);
    });
    expect(await refusalOf(command, filled)).toBe(
      `The target has rows of the user ${erased}, or is the same database. Name another one.\n`,
    );
  });

  it.runIf(engine === 'postgres')('copies nothing while runs are in progress', async () => {
    const [env, other] = [await copyOf(filled), await createDatabase()];
    await duringRun(env, async () => {
      const refusal = await refusalOf(['user', 'copy', erased, '--to', target(other.env)], env);
      expect(refusal).toContain('are in progress');
    });
    expect(await searchDatabase(other.env, erased)).toEqual({});
  });
});
