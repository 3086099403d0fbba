import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { childrenOf } from '../support/children.ts';
import { run as query } from '../support/postgres.ts';
import { signal, waitUntilReady } from './dedicated-postgres.ts';

/** A local node of a Citus cluster that a scenario may kill. After the scenario, the node runs again. */
export interface CitusWorker extends AsyncDisposable {
  readonly port: number;
  kill(): Promise<void>;
  /** Starts the node with its own command. Resolves when it accepts queries. */
  start(): Promise<void>;
}

/** Finds the processes of a node by its address. */
export async function openCitusWorker(url: string): Promise<CitusWorker> {
  const { rows } = await query(url, `select current_setting('data_directory') as folder`);
  const [{ folder } = { folder: '' }] = rows as { folder: string }[];
  const [program = '', ...args] = await commandOf(await postmasterIn(folder));
  const { uid, gid } = await stat(folder);
  let isRunning = true;
  const start = async (): Promise<void> => {
    spawn(program, args, { uid, gid, cwd: folder, stdio: 'ignore', detached: true }).unref();
    await waitUntilReady(url);
    isRunning = true;
  };
  return {
    port: Number(new URL(url).port),
    kill: async () => {
      isRunning = false;
      const postmaster = await postmasterIn(folder);
      for (const pid of [postmaster, ...(await childrenOf(postmaster))]) signal(pid, 'SIGKILL');
    },
    start,
    [Symbol.asyncDispose]: () => (isRunning ? Promise.resolve() : start()),
  };
}

/** The process id, which is in the first line of Postgres' lock file. */
async function postmasterIn(folder: string): Promise<number> {
  return Number((await readFile(`${folder}/postmaster.pid`, 'utf8')).split('\n')[0]);
}

async function commandOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1);
}
