import { integer, ms, table } from '../markdown.ts';
import { checkDuties } from './check-duties.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { loadRounds, medianRound, ratio, type Round } from './load-rounds.ts';
import { findSubjects, requestsOf } from './requests.ts';
import { startOurs, startPeer } from './servers.ts';

const roundOptions = {
  connections: 32,
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? 2000),
  warmUpRequests: Number(process.env['BENCH_WARM_UP'] ?? 8000),
};

const operations = ['GET one', 'list of 100', 'list of 20', 'POST', 'POST with a key'] as const;

/** Measures our server and Fastify at several numbers of connections. */
export async function measureRates(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const env = { DATABASE_URL: databaseUrl };
  await using ours = await startOurs(env);
  await using fastify = await startPeer('fastify', env);
  const servers = [ours, fastify];
  await onDatabase(databaseUrl, (client) => checkDuties(servers, subjects, client));
  const [compared, costs]: [string[][], string[][]] = [[], []];
  for (const operation of operations) {
    const requests = requestsOf(operation, subjects);
    const entries = servers.map((server) => ({ server, requests }));
    const cells: string[] = [];
    for (const connections of [2, 8, 32]) {
      const [own = [], peer = []] = await loadRounds(entries, { ...roundOptions, connections });
      cells.push(comparisonOf(own, peer));
      if (connections === 32) costs.push([operation, ...costsOf(own)]);
    }
    compared.push([operation, ...cells]);
  }
  return [
    table(['worktable, 32 connections', 'requests/s', 'p50', 'p99', 'processor time of a request'], costs),
    table(
      ['times Fastify; µs of worktable and Fastify', '2 connections', '8 connections', '32 connections'],
      compared,
    ),
  ].join('\n');
}

function comparisonOf(own: readonly Round[], peer: readonly Round[]): string {
  const times = [own, peer].map((rounds) => integer(medianRound(rounds).cpuUs)).join(' and ');
  const { errors } = medianRound(own);
  return `${ratio(own, peer).toFixed(2)}: ${times} µs${errors === 0 ? '' : `, ${errors} ERRORS`}`;
}

function costsOf(rounds: readonly Round[]): string[] {
  const { perSecond, p50Ms, p99Ms, cpuUs } = medianRound(rounds);
  return [integer(perSecond), ms(p50Ms), ms(p99Ms), `${integer(cpuUs)} µs`];
}
