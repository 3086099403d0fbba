import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ServerAddress } from './program.ts';

const startLimitMs = 60_000;

/** A server with an empty database that a page of the origin may call. */
export async function startServer(
  dataDir: string,
  origin: string,
): Promise<{ server: ServerAddress; stop: () => Promise<void> }> {
  // Nothing else reaches it: a DATABASE_URL of whoever checks must not be migrated and filled.
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
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
  const server = await Promise.race([addressOf(child), ended]);
  clearTimeout(limit);
  if (server === undefined)
    throw new Error(`The server ended, or took more than ${startLimitMs / 1000} s, before it was ready.`);
  return {
    server,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

/** Resolves when the server has printed where it is and a token. */
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
