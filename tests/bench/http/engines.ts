import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { citusNodes, createCitusDatabase, dropCitusDatabase } from '../../support/citus.ts';
import { integer, table } from '../markdown.ts';
import { fillDatabase, onDatabase, smallDatabaseUrl, smallRows } from './database.ts';
import { loadRounds, rateCell, ratio } from './load-rounds.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import { startOurs } from './servers.ts';
import { runCommand, type Environment } from '../../support/server-process.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100', 'POST', 'POST with a key'];
const roundOptions = { rounds: 3, roundMs: 1500, warmUpRequests: 4000, connections: 8 };
const citusName = 'bench_worktable';

/** Compares our server on Postgres and on PGlite, with the same rows. */
export async function measurePGlite(): Promise<string> {
  await using folder = await pgliteFolder();
  return await compareWithPostgres('PGlite', { DATA_DIR: folder.path }, smallDatabaseUrl);
}

/** Compares our server on Postgres and on a Citus cluster on the same machine, with the same number of tasks. */
export async function measureCitus(): Promise<string> {
  const cluster = process.env['TEST_CITUS_URL'];
  if (cluster === undefined) return 'The part citus is left out, because TEST_CITUS_URL is not set.\n';
  const nodes = await citusNodes(cluster);
  const url = await createCitusDatabase(nodes, citusName);
  try {
    await fillDatabase(url, smallRows);
    await runCommand('distribute', { DATABASE_URL: url });
    return await compareWithPostgres(`Citus, ${nodes.length} nodes`, { DATABASE_URL: url }, url);
  } finally {
    await dropCitusDatabase(nodes, citusName);
  }
}

/** `url` is a Postgres database with the rows of the other engine. */
async function compareWithPostgres(name: string, env: Environment, url: string): Promise<string> {
  const subjects = [await onDatabase(smallDatabaseUrl, findSubjects), await onDatabase(url, findSubjects)];
  await using ofPostgres = await startOurs({ DATABASE_URL: smallDatabaseUrl });
  await using ofOther = await startOurs(env);
  const rows = [];
  for (const operation of operations) {
    const entries = [ofPostgres, ofOther].map((server, i) => ({
      server,
      requests: requestsOf(operation, subjects[i] ?? { readers: [], writers: [] }),
    }));
    const [postgres = [], other = []] = await loadRounds(entries, roundOptions);
    rows.push([operation, rateCell(postgres), rateCell(other), ratio(other, postgres).toFixed(2)]);
  }
  const title = `${integer(smallRows)} tasks, ${roundOptions.connections} connections`;
  return table([`${title}: rate, p50, p99`, 'Postgres', name, 'ratio'], rows);
}

/**
 * Creates a data folder with the rows of the small database, which is deleted at the end of the block that has it. This
 * happens in another process, because PGlite sets the exit code.
 */
export async function pgliteFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'worktable-bench-'));
  await runCommand('migrate', { DATA_DIR: path });
  const program = join(import.meta.dirname, 'fill-pglite.ts');
  await promisify(execFile)(process.execPath, [program, path, smallDatabaseUrl]);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
