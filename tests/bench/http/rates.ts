import { integer, ms, table } from '../markdown.ts';
import { checkDuties } from './check-duties.ts';
import { baseline, contenders, fastify, koa, ours, type Contender } from './contenders.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { loadRounds, medianRound, ratio, type Round } from './load-rounds.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import type { RunningServer } from './servers.ts';

export const connections = 32;
export const roundOptions = {
  connections,
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? 2000),
  warmUpRequests: Number(process.env['BENCH_WARM_UP'] ?? 8000),
};

/** Measures operations with all contenders in rounds. */
export async function measureRates(): Promise<string> {
  const operations = ['GET one', 'list of 100', 'POST', 'POST with a key'] as const;
  const subjects = await onDatabase(databaseUrl, findSubjects);
  await using stack = new AsyncDisposableStack();
  const servers = await startAll(contenders, stack);
  await onDatabase(databaseUrl, (client) => checkDuties(servers, subjects, client));
  const results: Round[][][] = [];
  for (const operation of operations) {
    const requests = requestsOf(operation, subjects);
    results.push(
      await loadRounds(
        servers.map((server) => ({ server, requests })),
        roundOptions,
      ),
    );
  }
  return [rateTable(operations, results), costTable(operations, results)].join('\n');
}

/** Measures our server, its libraries alone and Fastify at several numbers of connections. */
export async function compareWithFastify(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  await using stack = new AsyncDisposableStack();
  const servers = await startAll([ours, koa, fastify], stack);
  const rows: string[][] = [];
  for (const operation of comparedOperations) {
    const requests = requestsOf(operation, subjects);
    const entries = servers.map((server) => ({ server, requests }));
    const cells: string[] = [];
    for (const count of [2, 8, 32]) {
      const options = { ...roundOptions, connections: count };
      const [own = [], libraries = [], peer = []] = await loadRounds(entries, options);
      const times = [own, peer].map((rounds) => integer(medianRound(rounds).cpuUs)).join(' and ');
      const { errors } = medianRound(own);
      cells.push(
        `${ratio(own, peer).toFixed(2)}, Koa ${ratio(libraries, peer).toFixed(2)}: ${times} µs` +
          (errors === 0 ? '' : `, ${errors} ERRORS`),
      );
    }
    rows.push([operation, ...cells]);
  }
  return table(
    ['times Fastify; µs of worktable and Fastify', '2 connections', '8 connections', '32 connections'],
    rows,
  );
}

/** Starts servers on the large database, which are stopped with the stack. */
async function startAll(some: readonly Contender[], stack: AsyncDisposableStack): Promise<RunningServer[]> {
  const servers: RunningServer[] = [];
  for (const { start } of some) servers.push(stack.use(await start({ DATABASE_URL: databaseUrl })));
  return servers;
}

const comparedOperations = ['GET one', 'list of 100', 'list of 20', 'POST', 'POST with a key'] as const;

/** The rate of each contender, also relative to the baseline. */
function rateTable(operations: readonly Operation[], results: readonly Round[][][]): string {
  const baselineIndex = contenders.indexOf(baseline);
  const rows = contenders.map(({ name }, i) => [
    name,
    ...results.map((ofOperation) => {
      const { perSecond, errors } = medianRound(ofOperation[i] ?? []);
      const share = ratio(ofOperation[i] ?? [], ofOperation[baselineIndex] ?? []).toFixed(2);
      return `${integer(perSecond)} (${share})${errors === 0 ? '' : `, ${errors} ERRORS`}`;
    }),
  ]);
  return table([`requests/s, ${connections} connections`, ...operations], rows);
}

/** Latencies and processor time of our server. */
function costTable(operations: readonly Operation[], results: readonly Round[][][]): string {
  const rows = operations.map((operation, i) => {
    const { p50Ms, p99Ms, cpuUs } = medianRound(results[i]?.[contenders.indexOf(ours)] ?? []);
    return [operation, ms(p50Ms), ms(p99Ms), `${integer(cpuUs)} µs`];
  });
  return table(['worktable', 'p50', 'p99', 'processor time of the server for a request'], rows);
}
