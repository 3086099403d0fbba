import { constants } from 'node:os';
import type { RawResponse } from '../../faults/connection.ts';
import { startOverload } from '../../faults/overload-process.ts';
import { inRounds, median, quantileOf } from '../rounds.ts';
import { integer, ms } from '../markdown.ts';
import { cpuMsOf } from './process-stats.ts';
import type { RunningServer } from './servers.ts';

/** A server and its requests. */
interface Entry {
  readonly server: RunningServer;
  readonly requests: readonly string[];
}

/** The measurements of one server in one round. */
export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses other than 2xx, and broken connections. */
  readonly errors: number;
  /** Processor time of the server per request, including background work. */
  readonly cpuUs: number;
}

interface RoundOptions {
  readonly rounds: number;
  readonly roundMs: number;
  /** The number of requests before the first round, after which V8 has compiled the hot functions, on a busy machine too. */
  readonly warmUpRequests: number;
  readonly connections: number;
}

/** The time before measuring. In it, pools reopen connections that were closed while idle. */
const rampUpMs = 300;

const warmUpPartMs = 500;
const warmUpPartsMax = 40;

/** Sends requests to each server in alternating rounds. Returns the rounds of each server. */
export async function loadRounds(
  entries: readonly Entry[],
  { rounds, roundMs, warmUpRequests, connections }: RoundOptions,
): Promise<Round[][]> {
  using load = await startOverload(constants.priority.PRIORITY_NORMAL);
  const send = ({ server: { port }, requests }: Entry, ms: number): Promise<readonly RawResponse[]> =>
    load.send({ url: `http://127.0.0.1:${port}`, requests, connections, ms });
  for (const entry of entries) {
    for (let sent = 0, part = 0; sent < warmUpRequests && part < warmUpPartsMax; part += 1)
      sent += (await send(entry, warmUpPartMs)).length;
  }
  const measures = entries.map((entry) => async (): Promise<Round> => {
    await send(entry, rampUpMs);
    const before = cpuMsOf(entry.server.pid);
    const responses = await send(entry, roundMs);
    const cpuMs = cpuMsOf(entry.server.pid) - before;
    const times = responses.map((response) => response.ms);
    return {
      // Each connection always has one request in flight, unless it breaks, which `errors` shows.
      perSecond: (connections * 1000 * times.length) / times.reduce((sum, time) => sum + time, 0),
      p50Ms: median(times),
      p99Ms: quantileOf(times, 0.99),
      errors: responses.filter(({ status }) => status < 200 || status > 299).length,
      cpuUs: (cpuMs * 1000) / responses.length,
    };
  });
  return await inRounds(rounds, measures);
}

/** The medians of the rounds, and the sum of their errors. */
export function medianRound(rounds: readonly Round[]): Round {
  const of = (name: keyof Round): number => median(rounds.map((round) => round[name]));
  const errors = rounds.reduce((sum, round) => sum + round.errors, 0);
  return { perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), cpuUs: of('cpuUs'), errors };
}

/** The median ratio of two request rates, over all rounds. */
export function ratio(rounds: readonly Round[], others: readonly Round[]): number {
  return median(rounds.map(({ perSecond }, i) => perSecond / (others[i]?.perSecond ?? NaN)));
}

/** The rate, the latencies, and the number of errors unless it is zero. */
export function rateCell(rounds: readonly Round[]): string {
  const { perSecond, p50Ms, p99Ms, errors } = medianRound(rounds);
  const cell = `${integer(perSecond)}/s, ${ms(p50Ms)}, ${ms(p99Ms)}`;
  return errors === 0 ? cell : `${cell}, ${errors} ERRORS`;
}
