import { cpuMsOf, cpuMsOfMachine } from './process-stats.ts';
import type { LoadGenerator } from './load.ts';
import type { LoadResult } from './load-process.ts';
import { median } from '../median.ts';
import type { RunningServer } from './servers.ts';

/** A server and its requests. */
interface RoundEntry {
  readonly server: RunningServer;
  readonly requests: readonly string[];
}

/** The measurements of one server in one round. */
export interface RoundResult extends LoadResult {
  /** Processor time of the server per request, including background work. */
  readonly cpuUs: number;
  /** Processor time of the whole machine per request: of server, database and load generator. */
  readonly machineUs: number;
}

interface RoundOptions {
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Time before measuring, in which pools reopen connections that were closed while idle. */
  readonly rampUpMs: number;
  readonly connections: number;
}

/** Measures the servers alternately, so that other load affects all of them. Returns the rounds of each server. */
export async function runRounds(
  entries: readonly RoundEntry[],
  generator: LoadGenerator,
  { rounds, roundMs, warmUpMs, rampUpMs, connections }: RoundOptions,
): Promise<RoundResult[][]> {
  for (const { server, requests } of entries) {
    await generator.run({ port: server.port, requests, connections, rampUpMs: 0, ms: warmUpMs });
  }
  const results: RoundResult[][] = entries.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { server, requests }] of entries.entries()) {
      const [before, machineBefore] = [cpuMsOf(server.pid), cpuMsOfMachine()];
      const result = await generator.run({ port: server.port, requests, connections, rampUpMs, ms: roundMs });
      const responses = (result.perSecond * (roundMs + rampUpMs)) / 1000;
      results[i]?.push({
        ...result,
        cpuUs: ((cpuMsOf(server.pid) - before) * 1000) / responses,
        machineUs: ((cpuMsOfMachine() - machineBefore) * 1000) / responses,
      });
    }
  }
  return results;
}

/** The medians of the rounds, and the sum of their errors. */
export function medianRound(rounds: readonly RoundResult[]): RoundResult {
  return {
    ...medianResult(rounds),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    machineUs: median(rounds.map(({ machineUs }) => machineUs)),
  };
}

/** The medians of the load generator's results, and the sum of their errors. */
export function medianResult(results: readonly LoadResult[]): LoadResult {
  const of = (name: keyof LoadResult): number => median(results.map((result) => result[name]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** The median over all rounds of the ratio of two request rates. */
export function ratio(rounds: readonly RoundResult[], others: readonly RoundResult[]): number {
  return median(ratios(rounds, others));
}

export function ratios(rounds: readonly RoundResult[], others: readonly RoundResult[]): number[] {
  return rounds.map(({ perSecond }, i) => perSecond / (others[i]?.perSecond ?? NaN));
}
