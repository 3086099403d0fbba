import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ServerAddress } from './program.ts';
import { createProject } from './platforms.ts';

const startTimeoutMs = 60_000;

/** Installs the package of the server in a folder, and starts it with an empty database for requests from the origin. */
export async function startServer(
  tarball: string,
  folder: string,
  origin: string,
): Promise<{ server: ServerAddress; stop: () => Promise<unknown> }> {
  await createProject(folder, tarball);
  // Pass no other variable: the check must not migrate or fill the database of the developer's DATABASE_URL.
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
  const baseUrl = await addressIn(child.stdout);
  clearTimeout(timer);
  if (baseUrl === undefined)
    throw new Error(`The server exited, or was not ready within ${startTimeoutMs / 1000} s.`);
  // The server prints a token to a terminal only.
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'token', '--user', 'alice'], {
    env,
  });
  const stop = (): Promise<unknown> => {
    child.kill();
    return exit;
  };
  return { server: { baseUrl, token: stdout.trim() }, stop };
}

/** The address that the server prints when it is ready; undefined if its output ends before. */
async function addressIn(output: Readable): Promise<string | undefined> {
  let address: string | undefined;
  for await (const line of createInterface(output)) {
    address = /ready at (http:[^\s"]+)/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  // The server would stop at a full pipe.
  output.resume();
  return address;
}
