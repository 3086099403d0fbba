import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ServerAddress } from './program.ts';
import { createProject } from './platforms.ts';

const startTimeoutMs = 60_000;

/** Installs the package of the server in a folder, and starts it with an empty database for requests from the origin. */
export async function startServer(
  tarball: string,
  folder: string,
  origin: string,
): Promise<{ server: ServerAddress; stop: () => Promise<void> }> {
  await createProject(folder, tarball);
  // Pass no other variable: the check must not migrate or fill the database of the developer's DATABASE_URL.
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: origin,
  };
  const child = spawn(process.execPath, [join(folder, 'node_modules/.bin/worktable-server')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const server = await Promise.race([addressOf(child), exited]);
  clearTimeout(timer);
  if (server === undefined)
    throw new Error(`The server exited, or was not ready within ${startTimeoutMs / 1000} s.`);
  return {
    server,
    stop: () => {
      child.kill();
      return exited;
    },
  };
}

/** Resolves when the server has printed its address and a token. */
function addressOf(child: ChildProcessByStdio<null, Readable, null>): Promise<ServerAddress> {
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, baseUrl] = /ready at (http:\S+)/.exec(output) ?? [];
      const [, token] = /Bearer (\S+?)'/.exec(output) ?? [];
      if (baseUrl !== undefined && token !== undefined) resolve({ baseUrl, token });
    });
  });
}
