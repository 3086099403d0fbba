import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { compileCache } from '../../support/node.ts';
import { createDatabase } from '../../support/server.ts';
import { secret } from '../../support/tokens.ts';

const cli = join(import.meta.dirname, '../../../server/src/cli.ts');

it('a server whose standard output is on a full disk answers requests, and ends when it is told to', async () => {
  const database = await createDatabase();
  const port = await freePort();
  const full = openSync('/dev/full', 'w');
  const server = spawn(process.execPath, [cli, 'serve'], {
    stdio: ['ignore', full, 'ignore'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: compileCache,
      PORT: String(port),
      JWT_SECRET: secret,
      ...database.env,
    },
  });
  closeSync(full);
  onTestFinished(() => {
    server.kill('SIGKILL');
  });
  const status = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status).toBe(200);

  // Enough requests to make the server write its log several times.
  for (let i = 0; i < 300; i += 1) await fetch(`http://127.0.0.1:${port}/api/tasks?q=${'x'.repeat(500)}`);

  expect(await status()).toBe(200);
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
