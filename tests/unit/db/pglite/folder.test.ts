import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../support/folder.ts';
import { lockFolder } from '../../../../server/src/db/pglite/folder.ts';

const source = join(import.meta.dirname, '../../../../server/src/db/pglite/folder.ts');

it('lockFolder keeps other processes out until its process is killed, even after a garbage collection', async () => {
  const folder = await createFolder();
  const program = `
    const { lockFolder } = await import(${JSON.stringify(source)});
    lockFolder(${JSON.stringify(folder)});
    await new Promise(setImmediate);
    gc();
    console.log('locked');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program]);
  await once(holder.stdout, 'data');
  expect(() => lockFolder(folder)).toThrow('Another process uses the data folder');

  holder.kill('SIGKILL');
  await once(holder, 'exit');

  lockFolder(folder)();
});
