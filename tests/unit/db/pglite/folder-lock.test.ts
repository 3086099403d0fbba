import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../support/folder.ts';
import { lockFolder } from '../../../../server/src/db/pglite/folder-lock.ts';

const folder = await createFolder();

describe('lockFolder', () => {
  it('creates the folder and keeps other callers out until it is released', () => {
    const inner = join(folder, 'new', 'data');

    const unlock = lockFolder(inner);

    expect(() => lockFolder(inner)).toThrow(
      `Another process uses the data folder ${inner}. Stop it, or set DATA_DIR to another folder.`,
    );
    unlock();
    lockFolder(inner)();
  });

  it('keeps another process out', async () => {
    const holder = await startHolder();

    expect(() => lockFolder(folder)).toThrow('Another process uses the data folder');
    await holder.kill();
  });

  it('is released as soon as its process is killed', async () => {
    const holder = await startHolder();

    await holder.kill();

    lockFolder(folder)();
  });

  it('throws a sentence if the folder cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');

    expect(() => lockFolder(join(file, 'data'))).toThrow(
      /^The data folder \S+ cannot be used: Error: ENOTDIR.* Choose a folder that this user may write to\.$/,
    );
  });
});

/** Another process, which holds the lock until it is killed, even after a garbage collection. */
async function startHolder(): Promise<{ kill(): Promise<void> }> {
  const source = join(import.meta.dirname, '../../../../server/src/db/pglite/folder-lock.ts');
  const program = `
    const { lockFolder } = await import(${JSON.stringify(source)});
    lockFolder(${JSON.stringify(folder)});
    await new Promise(setImmediate);
    gc();
    console.log('locked');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program]);
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
