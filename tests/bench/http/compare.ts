import { checkAnswer } from './check.ts';
import type { Contender } from './contenders.ts';
import { cpuMsOf } from './cpu.ts';
import type { Generator } from './load.ts';
import { median } from './median.ts';
import type { RunningServer } from './servers.ts';

export interface Entry {
  readonly contender: Contender;
  readonly server: RunningServer;
  readonly requests: readonly string[];
}

/** One turn of one contender. */
export interface Turn {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  /** Processor time of the server for one request; unlike the rest, it hardly depends on what else the machine does. */
  readonly cpuUs: number;
}

export interface Result extends Turn {
  readonly contender: Contender;
  readonly turns: readonly Turn[];
}

export const connections = 32;
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const turnMs = Number(process.env['BENCH_TURN_MS'] ?? 2000);
const warmUpMs = 2000;
// Pools close idle connections; each turn opens them again before anything counts.
const leadMs = 300;

/** Lets the contenders answer in turns, so that what else the machine does meets all of them. */
export async function compare(entries: readonly Entry[], generator: Generator): Promise<Result[]> {
  for (const { contender, server, requests } of entries) {
    for (const request of requests.slice(0, 10)) await checkAnswer(contender, server.port, request);
    await generator.run({ port: server.port, requests, connections, leadMs: 0, ms: warmUpMs });
  }
  const turns: Turn[][] = entries.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, entry] of entries.entries()) turns[i]?.push(await takeTurn(entry, generator));
  }
  return entries.map(({ contender }, i) => ({ contender, ...middle(turns[i] ?? []), turns: turns[i] ?? [] }));
}

export async function takeTurn(
  { server, requests }: Omit<Entry, 'contender'>,
  generator: Generator,
): Promise<Turn> {
  const before = cpuMsOf(server.pid);
  const outcome = await generator.run({ port: server.port, requests, connections, leadMs, ms: turnMs });
  const answers = (outcome.perSecond * (turnMs + leadMs)) / 1000;
  return { ...outcome, cpuUs: ((cpuMsOf(server.pid) - before) * 1000) / answers };
}

function middle(turns: readonly Turn[]): Turn {
  const of = (name: keyof Turn): number => median(turns.map((turn) => turn[name]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUs: of('cpuUs'),
    errors: turns.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** How many times as many requests as another, round by round. */
export function ratio(result: Result, other: Result): number {
  return median(result.turns.map(({ perSecond }, i) => perSecond / (other.turns[i]?.perSecond ?? NaN)));
}
