import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { run, runConnection } from '../support/postgres.ts';
import { refusalOf, runCli } from '../support/process.ts';
import { runCommand } from '../support/server-process.ts';
import { createDatabase, engine, isShareable } from '../support/server.ts';
import type { Environment } from '../support/server-process.ts';
import { createTask } from '../support/tasks.ts';
import { type As, fillUser, onServer, readUser } from '../support/user-data.ts';

const serversConnected =
  'Servers are connected to the database. Stop them, so that nothing is written meanwhile. Connections that a pooler keeps also count: send `RECONNECT` on the console of PgBouncer.\n';
let folder: string;

beforeAll(async () => {
  folder = await createFolder();
});

/** Continues like a client that has read all earlier changes. The client must get all new changes and no others. */
async function goOn(env: Environment, { next, link }: Before): Promise<void> {
  await onServer(env, async (as) => {
    const alice = await as('alice');
    expect((await alice.send('getLinkedChart', { id: link })).status).toBe(200);
    const { id } = await createTask(alice, { title: 'After the move' });
    const { changes } = (await alice.ok('listChanges', { query: { after: next } })).body;
    expect(changes.map((change) => [change.task_id, change.action])).toEqual([[id, 'create']]);
    const { runs } = (await alice.ok('listRuns', { query: { status: 'requires_action' } })).body;
    const [waiting] = runs;
    const call = waiting?.required_action?.tool_calls[0]?.id;
    await alice.ok('decideToolCalls', {
      id: waiting?.id ?? '',
      body: { decisions: [{ tool_call_id: call, approve: true }] },
    });
    await expect
      .poll(async () => (await alice.ok('getRun', { id: waiting?.id ?? '' })).body.status)
      .toBe('completed');
  });
}

it.runIf(isShareable)(
  'an embedded database that is moved to Postgres and back, or to a Citus cluster, answers as before and goes on',
  async () => {
    const { env } = await createDatabase();
    const url = env['DATABASE_URL'] ?? '';
    const back = join(folder, 'back');
    const { source, before } = await filledSource();

    const targets = [[url, env] as const, [back, { DATA_DIR: back }] as const];
    const moves = engine === 'citus' ? targets.slice(0, 1) : targets;
    for (const [i, [target, moved]] of moves.entries()) {
      const { output } = await runCli(['move', '--to', target], i === 0 ? source : env);
      expect(output).toMatch(/^Copied 15 tasks, .*Start servers on/);
      expect((await onServer(moved, readAll)).users).toEqual(before.users);
    }

    for (const [, moved] of moves) await goOn(moved, before);
    expect(await refusalOf(['move', '--to', url], source)).toContain('The target must be empty');
  },
);

interface Before {
  readonly users: readonly unknown[];
  readonly next: string;
  /** The last segment of a chart's address. */
  readonly link: string;
}

const names = ['alice', 'bob', 'Ünïcode "quoted" ☃'];

/** An embedded database with rows of several users. */
async function filledSource(): Promise<{ source: Environment; before: Before }> {
  const source = { DATA_DIR: join(folder, 'source') };
  await runCommand('migrate', source);
  const before = await onServer(source, async (as) => {
    for (const name of names) await fillUser(await as(name), name);
    return readAll(as);
  });
  return { source, before };
}

async function readAll(as: As): Promise<Before> {
  const users = [];
  for (const name of names) users.push(await readUser(await as(name)));
  const { next } = (await (await as('alice')).ok('listChanges', { query: { after: '0', limit: 1000 } })).body;
  const chart = { chart: { data: [] }, format: 'svg' };
  const { url } = (await (await as('alice')).ok('linkChart', { body: chart })).body;
  return { users, next, link: url.split('/').at(-1) ?? '' };
}

it.runIf(engine === 'postgres')('a database whose server starts during the move is not moved', async () => {
  const [source, target] = [await createDatabase(), await createDatabase()];
  const url = target.env['DATABASE_URL'] ?? '';
  await onServer(source.env, async (as) => createTask(await as('alice')));

  await runConnection(url, async (connection) => {
    await connection.query('begin');
    await connection.query('lock table tasks');
    const command = runCli(['move', '--to', url], source.env);
    await connection.waitUntilSomeoneWaits();
    await onServer(source.env, async (as) => {
      await createTask(await as('alice'));
      await connection.query('commit');
      expect(await command).toEqual({ code: 1, output: serversConnected });
    });
  });
  expect((await run(url, 'select from tasks')).rowCount).toBe(0);
});

it.runIf(engine === 'postgres').each(['worktable', 'worktable - 10.0.0.1:5432'])(
  'a database with a connection named %s is not moved',
  async (name) => {
    const database = await createDatabase();
    await runConnection(database.env['DATABASE_URL'] ?? '', async (connection) => {
      await connection.query(`set application_name = '${name}'`);
      expect(await refusalOf(['move', '--to', join(folder, 'named')], database.env)).toBe(serversConnected);
    });
  },
);

it.runIf(engine === 'postgres')('the password of the target is not printed', async () => {
  const [source, target] = [await createDatabase(), await createDatabase()];
  const url = new URL(target.env['DATABASE_URL'] ?? '');
  url.password ||= 'unused';

  const { code, output } = await runCli(['move', '--to', url.href], source.env);

  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`Start servers on Postgres ${url.host}${url.pathname} only`),
  });
  expect(output).not.toContain(url.password);
});
