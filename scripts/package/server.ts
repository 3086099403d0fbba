import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ServerAddress } from './program.ts';

const startTimeoutMs = 60_000;

/** Starts a server with an empty database that allows requests from the origin. */
export async function startServer(
  dataDir: string,
  origin: string,
): Promise<{ server: ServerAddress; stop: () => Promise<void> }> {
  // Pass no other variable: the check must not migrate or fill the database of the developer's DATABASE_URL.
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: origin,
  };
  const child = spawn(process.execPath, ['server/src/cli.ts', 'serve'], {
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
