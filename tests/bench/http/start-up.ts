import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../median.ts';
import { contenders, ours, type Contender } from './contenders.ts';
import { createEmptyDatabase, databaseUrl, dropDatabase, onDatabase, smallDatabaseUrl } from './database.ts';
import { checkStatus } from './check.ts';
import { pgliteFolder } from './engines.ts';
import { startGenerator } from './load.ts';
import { ms, table, whole } from './markdown.ts';
import { childrenOf, residentMbOf } from './process-figures.ts';
import { findSubjects, get, requestsOf, user, type Subjects } from './requests.ts';
import type { Surroundings } from './servers.ts';

const starts = 3;
const emptyUrl = `${databaseUrl}_empty`;

/** From the start of the process to the first answer, with and without data that is there already. */
export async function measureStartUp(): Promise<string> {
  const folder = await pgliteFolder();
  try {
    const rows = [
      ['PGlite, empty folder', await medianStart(inEmptyFolder)],
      ['PGlite, existing folder', await medianStart(() => startUp({ DATA_DIR: folder }))],
      ['Postgres, empty database', await medianStart(inEmptyDatabase)],
      ['Postgres, existing database', await medianStart(() => startUp({ DATABASE_URL: databaseUrl }))],
    ];
    return table([`median of ${starts} starts`, 'until the first 200'], rows);
  } finally {
    await rm(folder, { recursive: true });
    await dropDatabase(emptyUrl);
  }
}

/** Memory after the start and after a while of mixed load. */
export async function measureMemory(): Promise<string> {
  const folder = await pgliteFolder();
  try {
    const small = await onDatabase(smallDatabaseUrl, findSubjects);
    const large = await onDatabase(databaseUrl, findSubjects);
    const rows = [['worktable on PGlite', ...(await memoryOf(ours, { DATA_DIR: folder }, small))]];
    for (const contender of contenders) {
      rows.push([contender.name, ...(await memoryOf(contender, { DATABASE_URL: databaseUrl }, large))]);
    }
    return table(['resident memory', 'after the start', 'after mixed load', 'painters'], rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function medianStart(start: () => Promise<number>): Promise<string> {
  const times = [];
  for (let i = 0; i < starts; i++) times.push(await start());
  return ms(median(times));
}

async function startUp(surroundings: Surroundings): Promise<number> {
  const request = get(await user('newcomer'), '/api/tasks?limit=1');
  const start = performance.now();
  const server = await ours.start(surroundings);
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

async function memoryOf(
  contender: Contender,
  surroundings: Surroundings,
  subjects: Subjects,
): Promise<string[]> {
  const server = await contender.start(surroundings);
  const generator = await startGenerator();
  try {
    const before = residentMbOf(server.pid);
    const requests = requestsOf('mixed', subjects, contender);
    await generator.run({ port: server.port, requests, connections: 32, leadMs: 0, ms: 4000 });
    const painters = childrenOf(server.pid).map(residentMbOf);
    const ofPainters = painters.length === 0 ? '' : painters.map((each) => `${whole(each)} MB`).join(', ');
    return [`${whole(before)} MB`, `${whole(residentMbOf(server.pid))} MB`, ofPainters];
  } finally {
    generator.stop();
    await server.stop();
  }
}
