import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { databaseName, databaseUrl, run } from '../../support/postgres.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

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
