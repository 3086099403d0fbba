import { startOverload } from '../../faults/overload-process.ts';
import { integer, ms, table } from '../markdown.ts';
import { median } from '../rounds.ts';
import { createEmptyDatabase, databaseUrl, dropDatabase, onDatabase, smallDatabaseUrl } from './database.ts';
import { pgliteFolder } from './engines.ts';
import { residentMbOf } from './process-stats.ts';
import { findSubjects, requestsOf, user } from './requests.ts';
import type { Environment } from '../../support/server-process.ts';
import { startOurs, startPeer, type RunningServer } from './servers.ts';

const starts = 3;
const mixed = ['GET one', 'list of 100', 'POST with a key'] as const;
const emptyUrl = `${databaseUrl}_empty`;

/** Measures the time from the start of the process to its first 200, with and without existing data. */
export async function measureStartUp(): Promise<string> {
  await using folder = await pgliteFolder();
  const rows = [
    ['PGlite, empty folder', await medianStart(() => startUp({}))],
    ['PGlite, existing folder', await medianStart(() => startUp({ DATA_DIR: folder.path }))],
    ['Postgres, empty database', await medianStart(inEmptyDatabase)],
    ['Postgres, existing database', await medianStart(() => startUp({ DATABASE_URL: databaseUrl }))],
  ];
  await dropDatabase(emptyUrl);
  return table([`median of ${starts} starts`, 'time to the first 200'], rows);
}

/** Measures resident memory after the start and after mixed load. */
export async function measureMemory(): Promise<string> {
  await using folder = await pgliteFolder();
  const env = { DATABASE_URL: databaseUrl };
  const rows = [
    ['worktable on PGlite', ...(await memoryOf(startOurs({ DATA_DIR: folder.path }), smallDatabaseUrl))],
    ['worktable', ...(await memoryOf(startOurs(env), databaseUrl))],
    ['Fastify', ...(await memoryOf(startPeer('fastify', env), databaseUrl))],
  ];
  return table(['resident memory', 'after the start', 'after mixed load'], rows);
}

async function medianStart(start: () => Promise<number>): Promise<string> {
  const times = [];
  for (let i = 0; i < starts; i++) times.push(await start());
  return ms(median(times));
}

async function startUp(env: Environment): Promise<number> {
  const { token } = await user('newcomer');
  const startMs = performance.now();
  await using server = await startOurs(env);
  const { status } = await fetch(`http://127.0.0.1:${server.port}/api/tasks?limit=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const tookMs = performance.now() - startMs;
  if (status !== 200) throw new Error(`The server answered ${status}.`);
  return tookMs;
}

async function inEmptyDatabase(): Promise<number> {
  await createEmptyDatabase(emptyUrl);
  return startUp({ DATABASE_URL: emptyUrl });
}

/** `url` is a database with the same rows as the server's. */
async function memoryOf(starting: Promise<RunningServer>, url: string): Promise<string[]> {
  await using server = await starting;
  const subjects = await onDatabase(url, findSubjects);
  const requests = mixed.flatMap((operation) => requestsOf(operation, subjects));
  using load = await startOverload();
  const before = residentMbOf(server.pid);
  await load.send({ url: `http://127.0.0.1:${server.port}`, requests, connections: 32, ms: 4000 });
  return [before, residentMbOf(server.pid)].map((mb) => `${integer(mb)} MB`);
}
