import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import { listen } from '../support/listen.ts';
import { run } from '../support/postgres.ts';
import { runCli } from '../support/process.ts';
import { startRelay } from '../support/relay.ts';
import { createDatabase, engine, isShareable, startTestServer, template } from '../support/server.ts';
import { startSpoilingProxy, type Spoil } from '../support/spoiling-proxy.ts';
import { secret } from '../support/tokens.ts';

const database = await createDatabase();

/** The output of the command, by check. */
async function doctor(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; lines: Record<string, string> }> {
  const { code, output } = await runCli(['doctor'], { JWT_SECRET: secret, ...env });
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => /^(\w+ +)(\w+) *(.*)$/.exec(line) ?? []);
  return {
    code,
    lines: Object.fromEntries(
      lines.map(([, level = '', name = '', text = '']) => [name, `${level.trim()} ${text}`.trim()]),
    ),
  };
}

it('doctor finds nothing wrong with an installation that works', async () => {
  const { code, lines } = await doctor(database.env);

  expect(code).toBe(0);
  expect(lines).toMatchObject({
    settings: 'ok',
    keys: 'ok',
    clock: 'ok',
    disk: expect.stringMatching(/^(ok|warning)/),
  });
  expect(lines['database']).toMatch(/^(ok|warning)/);
  expect(lines['workers']).toBe(engine === 'citus' ? 'ok' : undefined);
  expect(lines['proxy']).toMatch(/^warning PUBLIC_URL is not set/);
  expect(lines['fonts']).toMatch(/^(ok|warning Charts show boxes)/);
});

it('doctor says what is wrong with settings, keys and an unreachable database, and goes on', async () => {
  const url = 'postgres://nobody:secret@127.0.0.1:1/nowhere';
  const { code, lines } = await doctor({ ...database.env, JWT_SECRET: '', DATABASE_URL: url, POTR: '1' });

  expect(code).toBe(1);
  expect(lines).toMatchObject({
    settings: 'warning POTR looks like a setting of this server, but it has none of that name',
    keys: expect.stringMatching(/^wrong No key found/),
    database: expect.stringMatching(/^wrong The database cannot be used\. Check DATABASE_URL\./),
  });
});

it.runIf(engine === 'pglite')('doctor creates nothing where DATA_DIR is mistyped', async () => {
  const folder = join(database.env['DATA_DIR'] ?? '', 'mistyped');

  const { code, lines } = await doctor({ DATA_DIR: folder });

  expect([code, lines['database']]).toEqual([0, expect.stringContaining('warning')]);
  expect(lines['database']).toContain(`${folder} has no database.`);
  expect(existsSync(folder)).toBe(false);
});

it.runIf(engine === 'pglite')('doctor does not check a database that a server uses', async () => {
  const other = await createDatabase();
  await startTestServer({ sharing: other });

  const { code, lines } = await doctor(other.env);

  expect([code, lines['database']]).toEqual([
    0,
    expect.stringMatching(/^warning Not checked: Another process uses/),
  ]);
});

it.runIf(engine === 'postgres')('doctor names wrong settings of a database and missing rights', async () => {
  const role = `worktable_doctor_${process.pid}`;
  cleanUpAfter(() => run(database.env['DATABASE_URL'] ?? '', `drop role ${role}`));
  const other = await createDatabase();
  const url = new URL(other.env['DATABASE_URL'] ?? '');
  await run(url.href, `create role ${role} login password 'secret'`);
  await run(
    url.href,
    `grant select on all tables in schema public to ${role}; grant usage on schema public to ${role}`,
  );
  await run(url.href, `alter database ${url.pathname.slice(1)} set session_replication_role = replica`);
  Object.assign(url, { username: role, password: 'secret' });

  const { code, lines } = await doctor({ ...other.env, DATABASE_URL: url.href });

  expect(code).toBe(1);
  expect(lines['database']).toMatch(/^wrong The sessions of this server have settings .*alter role/);
  expect(lines['role']).toMatch(/^warning The database user may not /);
});

it.runIf(engine === 'postgres')(
  'doctor names each table, also of the limits and the queue, that lacks a right',
  async () => {
    const role = `worktable_doctor_queue_${process.pid}`;
    cleanUpAfter(() => run(database.env['DATABASE_URL'] ?? '', `drop role ${role}`));
    const other = await createDatabase();
    const url = new URL(other.env['DATABASE_URL'] ?? '');
    await run(
      url.href,
      `create role ${role} login password 'secret';
     grant usage, create on schema public to ${role};
     grant select, insert, update, delete on all tables in schema public to ${role};
     revoke select on agents from ${role};
     revoke insert on rate_limits from ${role};
     revoke update on runs from ${role};
     revoke delete on tasks from ${role}`,
    );
    Object.assign(url, { username: role, password: 'secret' });

    const { lines } = await doctor({ ...other.env, DATABASE_URL: url.href });

    expect(lines['role']).toMatch(
      /^warning .* may not read and write agents, rate_limits, runs, tasks\..*server\/README\.md/,
    );
  },
);

it.runIf(engine === 'citus')(
  'doctor names a worker of the cluster that is away or does not answer',
  async () => {
    const { env } = await createDatabase();
    const worker = template.engine === 'citus' ? (template.nodes[1] ?? '') : '';
    const relay = await startRelay(worker);
    const { host, port } = new URL(relay.url);
    // Only this database uses the relay to reach the worker.
    await run(
      env['DATABASE_URL'] ?? '',
      `update pg_dist_node set nodeport = ${port} where nodeport = ${new URL(worker).port}`,
    );
    const named = new RegExp(`^wrong .* cannot connect to ${host}\\. .*Start Postgres there`);

    expect((await doctor(env)).lines['workers']).toBe('ok');

    await relay.cut();
    const { code, lines } = await doctor(env);
    expect([code, lines['workers']]).toEqual([1, expect.stringMatching(named)]);
    // The server itself is ready.
    expect(lines['database']).toMatch(/^(ok|warning)/);

    await relay.restore();
    relay.silence();
    expect((await doctor(env)).lines['workers']).toMatch(named);
  },
);

describe.runIf(isShareable)('doctor, through PUBLIC_URL,', () => {
  async function proxyLine(spoil?: Spoil): Promise<string | undefined> {
    const server = await startTestServer({ sharing: database });
    const url = spoil === undefined ? server.url : await startSpoilingProxy(server.url, spoil);
    return (await doctor({ ...database.env, PUBLIC_URL: url })).lines['proxy'];
  }

  it('warns of paths for operators that everyone can reach', async () => {
    expect(await proxyLine()).toMatch(/^warning http.*\/readyz answers everyone/);
  });

  it.each([
    [
      'does not forward a header',
      (headers: Record<string, string>) => delete headers['x-request-id'],
      /does not forward X-Request-Id/,
    ],
    [
      'does not forward the token',
      (headers: Record<string, string>) => delete headers['authorization'],
      /answers 401 to a token/,
    ],
    ['holds responses back until they end', () => true, /holds event streams back/],
  ])('finds a proxy that %s', async (_what, change, sentence) => {
    expect(await proxyLine({ request: ({ headers }) => void change(headers) })).toMatch(sentence);
  });

  it('finds a proxy that decodes paths', async () => {
    const decode: Spoil = { request: (request) => (request.path = decodeURIComponent(request.path)) };
    expect(await proxyLine(decode)).toMatch(/^wrong PUBLIC_URL answers 404/);
  });

  it('finds a port where no HTTP server listens', async () => {
    const closed = createServer((socket) => socket.destroy());
    const port = await listen(closed);
    cleanUpAfter(() => closed.close());
    const { code, lines } = await doctor({ ...database.env, PUBLIC_URL: `http://127.0.0.1:${port}` });
    expect([code, lines['proxy']]).toEqual([1, expect.stringContaining('cannot be reached')]);
  });
});
