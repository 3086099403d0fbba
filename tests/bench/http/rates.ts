import { checkAnswer } from './check.ts';
import { contenders, type Contender } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startGenerator } from './load.ts';
import { ms, table, whole } from './markdown.ts';
import { median } from '../median.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import type { RunningServer } from './servers.ts';
import { middle, ratio, ratios, takeTurns, type Turn } from './turns.ts';

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
  // Long enough for the compiler of the largest contender to have seen what is hot.
  warmUpMs: 4000,
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
  const floor = withRole(results, 'floor').turns;
  const peers = results.filter(({ contender }) => contender.role === 'peer');
  // All are ranked by the floor: medians of ratios between any two need not agree with each other.
  const best = peers.reduce((a, b) => (ratio(b.turns, floor) > ratio(a.turns, floor) ? b : a));
  const goal = goals[operation];
  const ofFloor = goal === undefined ? ratio(ours, floor).toFixed(2) : judged(ratios(ours, floor), goal);
  const ofBest = judged(ratios(ours, best.turns), 1);
  return `${operation}, of the floor: ${ofFloor}. Of the quickest peer, ${best.contender.name}: ${ofBest}.`;
}

/** A figure is only reached or missed where all rounds but one say the same. */
function judged(shares: readonly number[], goal: number): string {
  const reached = shares.filter((share) => share >= goal).length;
  const isClear = shares.length > 2 && Math.min(reached, shares.length - reached) <= 1;
  const verdict = isClear ? (reached > 1 ? 'reached' : 'MISSED') : 'undecided, the rounds disagree';
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(2));
  return `${median(shares).toFixed(2)} (rounds ${least} to ${most}; figure to reach ${goal}: ${verdict})`;
}

function withRole(results: readonly Result[], role: Contender['role']): Result {
  const found = results.find(({ contender }) => contender.role === role);
  if (found === undefined) throw new Error(`No contender is ${role}.`);
  return found;
}
