import { compare, connections, ratio, type Result } from './compare.ts';
import { contenders, type Contender } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startGenerator } from './load.ts';
import { ms, table, whole } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import type { RunningServer } from './servers.ts';

/** The least share of the floor that is to be reached. */
const goals: Partial<Record<Operation, number>> = { 'GET one': 0.85, 'list of 100': 1.2, POST: 0.85 };

/** One operation through all contenders, which take turns. */
export async function measureRates(operation: Operation): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const generator = await startGenerator();
  const servers: RunningServer[] = [];
  try {
    for (const { start } of contenders) servers.push(await start({ DATABASE_URL: databaseUrl }));
    const entries = contenders.flatMap((contender, i) => {
      const server = servers[i];
      return server === undefined
        ? []
        : [{ contender, server, requests: requestsOf(operation, subjects, contender) }];
    });
    return report(operation, await compare(entries, generator));
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    if (operation === 'POST' || operation === 'mixed') await cleanUp(databaseUrl);
  }
}

function report(operation: Operation, results: readonly Result[]): string {
  const floor = withRole(results, 'floor');
  const rows = results.map((result) => [
    result.contender.name,
    whole(result.perSecond),
    ratio(result, floor).toFixed(2),
    ms(result.p50Ms),
    ms(result.p99Ms),
    whole(result.cpuUs),
    whole(result.errors),
  ]);
  const headings = [
    `${operation}, ${connections} connections`,
    'requests/s',
    'of the floor',
    'p50',
    'p99',
    'server CPU µs',
    'errors',
  ];
  return [table(headings, rows), verdict(operation, results), ''].join('\n');
}

function verdict(operation: Operation, results: readonly Result[]): string {
  const ours = withRole(results, 'ours');
  const share = ratio(ours, withRole(results, 'floor'));
  const peers = results.filter(({ contender }) => contender.role === 'peer');
  const best = peers.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
  const lead = ratio(ours, best);
  const goal = goals[operation];
  const told = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED');
  const ofFloor = goal === undefined ? '' : ` (figure to reach ${goal}: ${told(share >= goal)})`;
  return (
    `${operation}: ${share.toFixed(2)} of the floor${ofFloor}; ${lead.toFixed(2)} of the quickest peer, ` +
    `${best.contender.name} (figure to reach 1: ${told(lead >= 1)}).`
  );
}

function withRole(results: readonly Result[], role: Contender['role']): Result {
  const found = results.find(({ contender }) => contender.role === role);
  if (found === undefined) throw new Error(`No contender is ${role}.`);
  return found;
}
