import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerAddress } from './program.ts';
import { createProject } from './platforms.ts';
import { matchInOutput } from './shell.ts';
import type { Tarballs } from './tarball.ts';

const startTimeoutMs = 60_000;

/** Installs the packages of charts and server in a folder, and starts the server. Pages of the origin may call it. */
export async function startServer(
  tarballs: Pick<Tarballs, 'server' | 'charts'>,
  folder: string,
  origin: string,
): Promise<{ server: ServerAddress; stop: () => Promise<unknown> }> {
  await createProject(folder, tarballs.charts, tarballs.server);
  // Only these variables, because the check must not migrate or fill the developer's own database.
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: origin,
  };
  const program = join(folder, 'node_modules/.bin/worktable-server');
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs);
  const [, baseUrl] = (await matchInOutput(child.stdout, /ready at (http:[^\s"]+)[\s"]/)) ?? [];
  clearTimeout(timer);
  if (baseUrl === undefined)
    throw new Error(`The server exited, or was not ready within ${startTimeoutMs / 1000} s.`);
  // Uses the token command, because the server prints a token only in a terminal.
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'token', '--user', 'alice'], {
    env,
  });
  const stop = (): Promise<unknown> => {
    child.kill();
    return exit;
  };
  return { server: { baseUrl, token: stdout.trim() }, stop };
}
