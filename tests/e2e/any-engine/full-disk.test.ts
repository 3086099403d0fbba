import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { startProcess } from '../../support/process.ts';
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

describe.runIf(isMounted)('a server whose disk fills up', () => {
  it('refuses writes, goes on reading, and writes again when there is space', async () => {
    const server = await startProcess({ DATA_DIR: disk, JWT_SECRET: secret, LOG_LEVEL: 'error' });
    const alice = new Client(server, await tokenFor('alice'));
    const task = await createTask(alice);
    const filler = join(disk, 'filler');
    const { bavail, bsize } = await statfs(disk);
    const readyStatus = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;

    await writeFile(filler, Buffer.alloc(bavail * bsize - 30 * 2 ** 20));

    await expect.poll(readyStatus).toBe(503);
    await alice.fails('createTask', 503, { body: { title: 'No room' } });
    expect((await alice.ok('getTask', { id: task.id })).body.task).toEqual(task);

    await rm(filler);

    await expect.poll(readyStatus).toBe(200);
    await createTask(alice);
    expect((await alice.ok('listTasks')).body.count).toBe(2);
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});
