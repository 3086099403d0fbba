import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../../support/cleanup.ts';

const source = join(import.meta.dirname, '../../../server/src/commands/watchdog.ts');
const beatMs = 50;
// The watchdog allows 60 beats.
const tooLongMs = 70 * beatMs;

// `npm run faults -- frozen-loop` shows that the watchdog ends a process whose event loop stands still.
describe('the watchdog', () => {
  it('does not count the time in which the whole process is stopped', async () => {
    const child = startWatched(`process.stdin.once('data', () => process.exit(3));`);
    await once(child, 'spawn');
    await once(child.stdout ?? child, 'data');

    child.kill('SIGSTOP');
    await pause(tooLongMs);
    child.kill('SIGCONT');
    child.stdin?.write('end\n');

    expect(await once(child, 'close')).toEqual([3, null]);
  });

  it('ignores a process that was started for a debugger', async () => {
    const child = startWatched(
      `const end = Date.now() + ${tooLongMs}; while (Date.now() < end); process.exit(3);`,
      '--inspect=127.0.0.1:0',
    );

    expect(await once(child, 'close')).toEqual([3, null]);
  });
});

/** Starts a process with a watchdog. The process runs a program after the watchdog's first beats. */
function startWatched(program: string, ...options: string[]): ChildProcess {
  const text = `
    const { startWatchdog } = await import(${JSON.stringify(source)});
    startWatchdog(${beatMs});
    setTimeout(() => { console.log('started'); ${program} }, ${5 * beatMs});`;
  const child = spawn(process.execPath, [...options, '--input-type=module', '--eval', text]);
  cleanUpAfter(() => child.kill('SIGKILL'));
  return child;
}
