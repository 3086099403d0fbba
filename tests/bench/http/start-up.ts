import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.ts';
import { contenders, ours, type Contender } from './contenders.ts';
import { createEmptyDatabase, databaseUrl, dropDatabase, onDatabase, smallDatabaseUrl } from './database.ts';
import { checkStatus } from './check.ts';
import { pgliteFolder } from './engines.ts';
import { startLoadGenerator } from './load.ts';
import { integer, ms, table } from './markdown.ts';
import { childrenOf, residentMbOf } from './process-stats.ts';
import { findSubjects, get, requestsOf, user, type Subjects } from './requests.ts';
import type { Environment } from './servers.ts';

const starts = 3;
const emptyUrl = `${databaseUrl}_empty`;

/** The time from the start of the process to its first 200, with and without existing data. */
export async function measureStartUp(): Promise<string> {
  const folder = await pgliteFolder();
  try {
    const rows = [
      ['PGlite, empty folder', await medianStart(inEmptyFolder)],
      ['PGlite, existing folder', await medianStart(() => startUp({ DATA_DIR: folder }))],
      ['Postgres, empty database', await medianStart(inEmptyDatabase)],
      ['Postgres, existing database', await medianStart(() => startUp({ DATABASE_URL: databaseUrl }))],
    ];
    return table([`median of ${starts} starts`, 'time to the first 200'], rows);
  } finally {
    await rm(folder, { recursive: true });
    await dropDatabase(emptyUrl);
  }
}

/** Resident memory after the start and after mixed load. */
export async function measureMemory(): Promise<string> {
  const folder = await pgliteFolder();
  try {
    const small = await onDatabase(smallDatabaseUrl, findSubjects);
    const large = await onDatabase(databaseUrl, findSubjects);
    const rows = [['worktable on PGlite', ...(await memoryOf(ours, { DATA_DIR: folder }, small))]];
    for (const contender of contenders) {
      rows.push([contender.name, ...(await memoryOf(contender, { DATABASE_URL: databaseUrl }, large))]);
    }
    return table(['resident memory', 'after the start', 'after mixed load', 'render processes'], rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function medianStart(start: () => Promise<number>): Promise<string> {
  const times = [];
  for (let i = 0; i < starts; i++) times.push(await start());
  return ms(median(times));
}

async function startUp(env: Environment): Promise<number> {
  const request = get(await user('newcomer'), '/api/tasks?limit=1');
  const start = performance.now();
  const server = await ours.start(env);
  await checkStatus(server.port, request);
  const took = performance.now() - start;
  await server.stop();
  return took;
}

async function inEmptyFolder(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  const took = await startUp({ DATA_DIR: folder });
  await rm(folder, { recursive: true });
  return took;
}

async function inEmptyDatabase(): Promise<number> {
  await createEmptyDatabase(emptyUrl);
  return startUp({ DATABASE_URL: emptyUrl });
}

async function memoryOf(contender: Contender, env: Environment, subjects: Subjects): Promise<string[]> {
  const server = await contender.start(env);
  const generator = await startLoadGenerator();
  try {
    const before = residentMbOf(server.pid);
    const requests = requestsOf('mixed', subjects, contender);
    await generator.run({ port: server.port, requests, connections: 32, rampUpMs: 0, ms: 4000 });
    const renderProcesses = childrenOf(server.pid).map(residentMbOf);
    const rendererCell = renderProcesses.map((residentMb) => `${integer(residentMb)} MB`).join(', ');
    return [`${integer(before)} MB`, `${integer(residentMbOf(server.pid))} MB`, rendererCell];
  } finally {
    generator.stop();
    await server.stop();
  }
}
