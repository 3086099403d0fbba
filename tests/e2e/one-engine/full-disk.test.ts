import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { refusalOf, startProcess } from '../../support/process.ts';
import { createTask } from '../../support/tasks.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const disk = mkdtempSync(join(tmpdir(), 'worktable-disk-'));
const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'worktable-test', disk]);
const isMounted = status === 0;
if (!isMounted) console.warn('The test of a full disk is skipped, because this user may not mount a tmpfs.');

afterAll(async () => {
  if (isMounted) spawnSync('umount', ['--lazy', disk]);
  await rm(disk, { recursive: true, force: true });
});

it.runIf(isMounted)(
  'a server whose disk fills up refuses writes, goes on reading, and writes again when there is space',
  async () => {
    const server = await startProcess({ DATA_DIR: disk, JWT_SECRET: secret, LOG_LEVEL: 'warn' });
    const alice = new Client(server, await tokenFor('alice'));
    const task = await createTask(alice);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = await statfs(disk);
    const readiness = async (): Promise<string> => (await fetch(`${server.url}/readyz`)).text();

    await writeFile(filler, Buffer.alloc(bavail * bsize - 30 * 2 ** 20));

    await expect.poll(readiness).toBe('The disk of the database is full.\n');
    const { body } = await alice.fails('createTask', 503, { body: { title: 'No room' } });
    expect(body.detail).toMatch(/^The disk of the database is full\. Nothing was done\./);
    await expect.poll(server.output).toContain('The disk of DATA_DIR is full: less than 48 MB are free.');
    expect(server.output()).not.toContain('read-only');
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);

    await rm(filler);

    await expect.poll(readiness).toBe('ready\n');
    await createTask(alice);
    expect((await alice.ok('listTasks')).body.count).toBe(2);
    expect(await server.stop('SIGTERM')).toBe(0);
  },
);

it.runIf(isMounted)('a start without room for a new database says that the disk is full', async () => {
  const dataDir = join(disk, 'second');
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 10 * 2 ** 20));

  expect(await refusalOf(['serve'], { DATA_DIR: dataDir, JWT_SECRET: secret })).toBe(
    `The embedded database ${dataDir}/database cannot be opened: its disk is full. Make space.\n`,
  );
});

it.runIf(isMounted)('a start on a read-only file system says that the folder cannot be used', async () => {
  spawnSync('mount', ['-o', 'remount,ro', disk]);

  expect(await refusalOf(['serve'], { DATA_DIR: disk, JWT_SECRET: secret })).toMatch(
    /^The server cannot use \S+: Error: EROFS: .+ choose a data folder that belongs to this user with everything in it\.\n$/,
  );
});
