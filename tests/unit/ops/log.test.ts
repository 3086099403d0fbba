import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../server/src/ops/log.ts';

const logModule = new URL('../../../server/src/ops/log.ts', import.meta.url).href;

describe('createLogger', () => {
  it('logs type, message, code, stack and causes of an error, and nothing that a driver attached', () => {
    const cause = Object.assign(new TypeError('inner'), { parameters: ['secret'] });
    const err = Object.assign(new Error('outer', { cause }), { code: '23505', detail: 'secret' });

    expect(logged(err)).toEqual({
      type: 'Error',
      message: 'outer',
      code: '23505',
      stack: err.stack,
      cause: { type: 'TypeError', message: 'inner', stack: cause.stack },
    });
  });

  it.each([
    ['a text', 'a text'],
    [null, 'null'],
  ])('logs %j, which is not an error, as text', (err, text) => {
    expect(logged(err)).toBe(text);
  });
});

describe('a logger whose standard output is blocked', () => {
  it('buffers 64 MiB, and drops further lines', async () => {
    // The loop blocks the process, so nothing is written before it ends.
    const child = runLogging(70_000);
    let bytes = 0;

    for await (const line of createInterface({ input: child.stdout })) bytes += line.length + 1;

    expect(bytes).toBeGreaterThan(63 * 2 ** 20);
    expect(bytes).toBeLessThan(65 * 2 ** 20);
  });

  it('lets the process end even if nothing reads its lines', async () => {
    const child = runLogging(1_000, 'setTimeout(() => process.exit(), 500);');

    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

/** Runs a program that logs lines of a kilobyte. */
function runLogging(lines: number, then = ''): ChildProcessByStdio<null, Readable, null> {
  const program = `
    import { createLogger } from ${JSON.stringify(logModule)};
    const logger = createLogger('info');
    for (let i = 0; i < ${lines}; i += 1) logger.info('${'x'.repeat(1024)}');
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** `err` in the line that a failure logs. */
function logged(err: unknown): unknown {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).warn({ err }, 'it failed');
  return (JSON.parse(lines[0] ?? '') as { err: unknown }).err;
}
