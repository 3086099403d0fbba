import { checkAnswer } from './check.ts';
import { contenders, type Contender } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startLoadGenerator } from './load.ts';
import { integer, ms, table } from './markdown.ts';
import { median } from '../median.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import type { RunningServer } from './servers.ts';
import { medianRound, ratio, ratios, runRounds, type RoundResult } from './rounds.ts';

interface Result {
  readonly contender: Contender;
  readonly rounds: readonly RoundResult[];
}

/** The targets, as multiples of the baseline's rate. */
const targets: Partial<Record<Operation, number>> = { 'GET one': 0.85, 'list of 100': 1.2, POST: 0.85 };

const connections = 32;
const roundOptions = {
  connections,
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? 2000),
  // Long enough for V8 to optimize the hot functions of the largest contender.
  warmUpMs: 4000,
  rampUpMs: 300,
};

/** Measures one operation with all contenders in rounds. */
export async function measureRates(operation: Operation): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const generator = await startLoadGenerator();
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
    const rounds = await runRounds(entries, generator, roundOptions);
    return report(
      operation,
      contenders.map((contender, i) => ({ contender, rounds: rounds[i] ?? [] })),
    );
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    if (operation === 'POST' || operation === 'mixed') await cleanUp(databaseUrl);
  }
}

function report(operation: Operation, results: readonly Result[]): string {
  const baseline = withRole(results, 'baseline');
  const rows = results.map(({ contender, rounds }) => {
    const { perSecond, p50Ms, p99Ms, cpuUs, errors } = medianRound(rounds);
    const share = ratio(rounds, baseline.rounds).toFixed(2);
    return [contender.name, integer(perSecond), share, ms(p50Ms), ms(p99Ms), integer(cpuUs), integer(errors)];
  });
  const title = `${operation}, ${connections} connections`;
  const headings = [title, 'requests/s', 'of the baseline', 'p50', 'p99', 'server CPU µs', 'errors'];
  return [table(headings, rows), verdict(operation, results), ''].join('\n');
}

function verdict(operation: Operation, results: readonly Result[]): string {
  const ours = withRole(results, 'ours').rounds;
  const baseline = withRole(results, 'baseline').rounds;
  const peers = results.filter(({ contender }) => contender.role === 'peer');
  // Ranked by the ratio to the baseline: medians of pairwise ratios are not transitive.
  const best = peers.reduce((a, b) => (ratio(b.rounds, baseline) > ratio(a.rounds, baseline) ? b : a));
  const target = targets[operation];
  const ofBaseline =
    target === undefined
      ? ratio(ours, baseline).toFixed(2)
      : compareWithTarget(ratios(ours, baseline), target);
  const ofBest = compareWithTarget(ratios(ours, best.rounds), 1);
  return `${operation}, relative to the baseline: ${ofBaseline}. Relative to the fastest peer, ${best.contender.name}: ${ofBest}.`;
}

/** A target is met or missed only if all rounds but one agree. */
function compareWithTarget(shares: readonly number[], target: number): string {
  const met = shares.filter((share) => share >= target).length;
  const isClear = shares.length > 2 && Math.min(met, shares.length - met) <= 1;
  const verdict = isClear ? (met > 1 ? 'met' : 'MISSED') : 'undecided, the rounds disagree';
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(2));
  return `${median(shares).toFixed(2)} (rounds ${least} to ${most}; target ${target}: ${verdict})`;
}

function withRole(results: readonly Result[], role: Contender['role']): Result {
  const found = results.find(({ contender }) => contender.role === role);
  if (found === undefined) throw new Error(`There is no contender with the role ${role}.`);
  return found;
}
