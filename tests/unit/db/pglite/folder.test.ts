import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../support/folder.ts';
import { lockFolder } from '../../../../server/src/db/pglite/folder.ts';

const folder = await createFolder();

it('lockFolder keeps other processes out until its process is killed, even after a garbage collection', async () => {
  const holder = await startHolder();
  expect(() => lockFolder(folder)).toThrow('Another process uses the data folder');

  await holder.kill();

  lockFolder(folder)();
});

/** Another process, which collects its garbage while it holds the lock. */
async function startHolder(): Promise<{ kill(): Promise<void> }> {
  const source = join(import.meta.dirname, '../../../../server/src/db/pglite/folder.ts');
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
