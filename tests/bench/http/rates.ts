import { checkAnswer } from './check.ts';
import { contenders, type Contender } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startGenerator } from './load.ts';
import { ms, table, whole } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import type { RunningServer } from './servers.ts';
import { middle, ratio, takeTurns, type Turn } from './turns.ts';

interface Result {
  readonly contender: Contender;
  readonly turns: readonly Turn[];
}

/** The least share of the floor that is to be reached. */
const goals: Partial<Record<Operation, number>> = { 'GET one': 0.85, 'list of 100': 1.2, POST: 0.85 };

const connections = 32;
const pace = {
  connections,
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  turnMs: Number(process.env['BENCH_TURN_MS'] ?? 2000),
  warmUpMs: 2000,
  leadMs: 300,
};

/** One operation through all contenders, which take turns. */
export async function measureRates(operation: Operation): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const generator = await startGenerator();
  const servers: RunningServer[] = [];
  try {
    const entries = [];
    for (const contender of contenders) {
      const server = await contender.start({ DATABASE_URL: databaseUrl });
      servers.push(server);
      const requests = requestsOf(operation, subjects, contender);
      for (const request of requests.slice(0, 10)) await checkAnswer(contender, server.port, request);
      entries.push({ server, requests });
    }
    const turns = await takeTurns(entries, generator, pace);
    return report(
      operation,
      contenders.map((contender, i) => ({ contender, turns: turns[i] ?? [] })),
    );
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    if (operation === 'POST' || operation === 'mixed') await cleanUp(databaseUrl);
  }
}

function report(operation: Operation, results: readonly Result[]): string {
  const floor = withRole(results, 'floor');
  const rows = results.map(({ contender, turns }) => {
    const { perSecond, p50Ms, p99Ms, cpuUs, errors } = middle(turns);
    const share = ratio(turns, floor.turns).toFixed(2);
    return [contender.name, whole(perSecond), share, ms(p50Ms), ms(p99Ms), whole(cpuUs), whole(errors)];
  });
  const title = `${operation}, ${connections} connections`;
  const headings = [title, 'requests/s', 'of the floor', 'p50', 'p99', 'server CPU µs', 'errors'];
  return [table(headings, rows), verdict(operation, results), ''].join('\n');
}

function verdict(operation: Operation, results: readonly Result[]): string {
  const ours = withRole(results, 'ours').turns;
  const share = ratio(ours, withRole(results, 'floor').turns);
  const peers = results.filter(({ contender }) => contender.role === 'peer');
  const best = peers.reduce((a, b) => (ratio(b.turns, a.turns) > 1 ? b : a));
  const lead = ratio(ours, best.turns);
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
