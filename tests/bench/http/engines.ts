import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ours } from './contenders.ts';
import { cleanUp, migrate, onDatabase, smallDatabaseUrl, smallRows } from './database.ts';
import { cell } from './growth.ts';
import { startLoadGenerator } from './load.ts';
import { integer, table } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import { medianRound, ratio, runRounds } from './rounds.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100', 'POST'];
const roundOptions = { rounds: 3, roundMs: 1500, warmUpMs: 1500, rampUpMs: 300, connections: 8 };

/** Our server on Postgres and on PGlite, with the same rows. */
export async function measureEngines(): Promise<string> {
  const folder = await pgliteFolder();
  const subjects = await onDatabase(smallDatabaseUrl, findSubjects);
  const generator = await startLoadGenerator();
  const servers = [
    await ours.start({ DATABASE_URL: smallDatabaseUrl }),
    await ours.start({ DATA_DIR: folder }),
  ];
  try {
    const rows = [];
    for (const operation of operations) {
      const requests = requestsOf(operation, subjects, ours);
      const [postgres = [], pglite = []] = await runRounds(
        servers.map((server) => ({ server, requests })),
        generator,
        roundOptions,
      );
      rows.push([
        operation,
        cell(medianRound(postgres)),
        cell(medianRound(pglite)),
        ratio(pglite, postgres).toFixed(2),
      ]);
    }
    return table(
      [`${integer(smallRows)} tasks, ${roundOptions.connections} connections`, 'Postgres', 'PGlite', 'ratio'],
      rows,
    );
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true });
    await cleanUp(smallDatabaseUrl);
  }
}

/** Creates a data folder with the rows of the small database, in another process because PGlite sets the exit code. */
export async function pgliteFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  await migrate({ DATA_DIR: folder });
  const program = fileURLToPath(new URL('fill-pglite.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [program, folder, smallDatabaseUrl]);
  return folder;
}
