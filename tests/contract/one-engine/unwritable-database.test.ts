import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, databaseUrl, run, runConnection } from '../../support/postgres.ts';
import {
  createDatabase,
  engine,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';
import type { Client } from '../../support/client.ts';

const disk = mkdtempSync(join(tmpdir(), 'worktable-disk-'));
const tablespace = `worktable_disk_${process.pid}`;
const isMounted = engine === 'postgres' && mountFor('postgres');
if (engine === 'postgres' && !isMounted)
  console.warn('The test of a full Postgres is skipped, because this user may not mount a tmpfs.');
let database: TestDatabase | undefined;

afterAll(async () => {
  const url = database?.env['DATABASE_URL'] ?? '';
  if (database !== undefined)
    await run(databaseUrl(url, 'postgres'), `drop tablespace if exists ${tablespace}`);
  if (isMounted) spawnSync('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
});

describe.runIf(isMounted)('while the disk of the database is full, a request', () => {
  spec('createTask', 503, 'is refused, /readyz says why, and reads go on', async () => {
    database = await createDatabase();
    const url = database.env['DATABASE_URL'] ?? '';
    const admin = databaseUrl(url, 'postgres');
    await run(admin, `create tablespace ${tablespace} location '${join(disk, 'data')}'`);
    await run(admin, `alter database ${databaseName(url)} set tablespace ${tablespace}`);
    const server = await startTestServer({ sharing: { env: database.env } });
    const alice = await server.as('alice');
    const task = await createTask(alice);
    const readiness = async (): Promise<string> => (await fetch(`${server.url}/readyz`)).text();
    const { bavail, bsize } = await statfs(disk);

    await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize));

    await expect.poll(readiness).toBe('The disk of the database is full.\n');
    const body = { title: 'No room', description: randomBytes(4000).toString('base64') };
    await expect.poll(async () => (await alice.send('createTask', { body })).status).toBe(503);
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);

    await rm(join(disk, 'filler'));

    await expect.poll(readiness).toBe('ready\n');
    await createTask(alice);
    await server.close();
  });
});

/** Mounts a disk of 100 MB with a folder that belongs to a user. */
function mountFor(user: string): boolean {
  const isDone = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
  return (
    isDone('mount', '-t', 'tmpfs', '-o', 'size=100m,mode=755', 'worktable-test', disk) &&
    isDone('install', '-d', '-o', user, join(disk, 'data')) &&
    isDone('chmod', 'a+x', join(disk, '..'))
  );
}

describe.runIf(engine === 'postgres')('after a database was read-only and can be written again,', () => {
  let server: TestServer;
  let alice: Client;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer();
    alice = await server.as('alice');
    admin = server.env['DATABASE_URL'] ?? '';
  });

  beforeEach(async () => {
    await setReadOnly(admin, 'on');
    await runConnection(admin, (connection) => connection.cutServers());
  });

  spec('createTask', 201, 'succeeds within seconds, on the connections that requests keep open', async () => {
    const create = async (): Promise<number> =>
      (await alice.send('createTask', { body: { title: 'x' } })).status;
    const createThree = (): Promise<number[]> => Promise.all([1, 2, 3].map(create));
    expect(await createThree()).toEqual([503, 503, 503]);

    await setReadOnly(admin, 'off');

    await expect.poll(createThree).toEqual([201, 201, 201]);
  });

  it('/readyz returns 200 within seconds, without other requests', async () => {
    const readiness = async (): Promise<string> => (await fetch(`${server.url}/readyz`)).text();
    await expect.poll(readiness).toBe('The database is read-only.\n');

    await setReadOnly(admin, 'off');

    await expect.poll(readiness).toBe('ready\n');
  });

  spec('getTask', 404, 'uses a new connection too, because the old one may lead to a standby', async () => {
    const reader = async (): Promise<unknown> => {
      await alice.fails('getTask', 404, { id: '01a1fdb9-4c84-73be-8229-1f6290ff66e0' });
      const { rows } = await run(admin, lastReader);
      return rows;
    };
    const before = await reader();
    await alice.fails('createTask', 503, { body: { title: 'x' } });

    await expect.poll(reader).not.toEqual(before);
  });
});

/** The backend that has read a task last. */
const lastReader = `
  select pid from pg_stat_activity
  where datname = current_database() and application_name = 'worktable' and query like '%from tasks%'
  order by query_start desc limit 1`;

async function setReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  // Uses a connection to another database, because new connections to this one are read-only.
  const name = databaseName(url);
  await run(
    databaseUrl(url, 'postgres'),
    `alter database ${name} set default_transaction_read_only = ${value}`,
  );
}
