import { checkAnswer } from './check.ts';
import { contenders, ours, oursWithoutKeys, type Contender } from './contenders.ts';
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

/** The targets as multiples of the rate of the fastest peer of a kind, and of our server without keys. */
const peerTargets = { 'peer with our duties': 1.2 } as const;
const withoutKeysTarget = 0.85;

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
  const measured =
    operation === 'POST with a key' ? [ours, oursWithoutKeys, ...contenders.slice(1)] : contenders;
  try {
    const entries = [];
    for (const contender of measured) {
      const server = await contender.start({ DATABASE_URL: databaseUrl });
      servers.push(server);
      const requests = requestsOf(operation, subjects, contender);
      for (const request of requests.slice(0, 10)) await checkAnswer(contender, server.port, request);
      entries.push({ server, requests });
    }
    const rounds = await runRounds(entries, generator, roundOptions);
    return report(
      operation,
      measured.map((contender, i) => ({ contender, rounds: rounds[i] ?? [] })),
    );
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    if (operation !== 'GET one' && operation !== 'list of 100') await cleanUp(databaseUrl);
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
  const own = withRole(results, 'ours').rounds;
  const baseline = withRole(results, 'baseline').rounds;
  const target = targets[operation];
  const ofBaseline =
    target === undefined ? ratio(own, baseline).toFixed(2) : compareWithTarget(ratios(own, baseline), target);
  const withoutKeys = results.find(({ contender }) => contender === oursWithoutKeys);
  const lines = [
    `relative to the baseline: ${ofBaseline}`,
    ...(withoutKeys === undefined
      ? []
      : [
          `relative to the same without keys: ${compareWithTarget(ratios(own, withoutKeys.rounds), withoutKeysTarget)}`,
        ]),
    ...Object.entries(peerTargets).map(([role, target]) => {
      const best = fastest(
        results.filter(({ contender }) => contender.role === role),
        baseline,
      );
      return `relative to the fastest ${role}, ${best.contender.name}: ${compareWithTarget(ratios(own, best.rounds), target)}`;
    }),
  ];
  return lines.map((line) => `- ${operation}, ${line}.`).join('\n');
}

/** Ranked by the ratio to the baseline: medians of pairwise ratios are not transitive. */
function fastest(peers: readonly Result[], baseline: readonly RoundResult[]): Result {
  return peers.reduce((a, b) => (ratio(b.rounds, baseline) > ratio(a.rounds, baseline) ? b : a));
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
