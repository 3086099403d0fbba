import { cpuMsOf } from './process-figures.ts';
import type { Generator } from './load.ts';
import type { Outcome } from './load-process.ts';
import { median } from '../median.ts';
import type { RunningServer } from './servers.ts';

/** Who is sent what. */
export interface Entry {
  readonly server: RunningServer;
  readonly requests: readonly string[];
}

/** What one turn of one entry came to. */
export interface Turn extends Outcome {
  /** Processor time of the server for one request, its work in the background included. */
  readonly cpuUs: number;
}

export interface Pace {
  readonly rounds: number;
  readonly turnMs: number;
  readonly warmUpMs: number;
  /** How long a turn goes on before anything counts: pools that closed idle connections open them again. */
  readonly leadMs: number;
  readonly connections: number;
}

/** Lets the entries answer in turns, so that what else the machine does meets all of them: the turns of each. */
export async function takeTurns(
  entries: readonly Entry[],
  generator: Generator,
  { rounds, turnMs, warmUpMs, leadMs, connections }: Pace,
): Promise<Turn[][]> {
  for (const { server, requests } of entries) {
    await generator.run({ port: server.port, requests, connections, leadMs: 0, ms: warmUpMs });
  }
  const turns: Turn[][] = entries.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { server, requests }] of entries.entries()) {
      const before = cpuMsOf(server.pid);
      const outcome = await generator.run({ port: server.port, requests, connections, leadMs, ms: turnMs });
      const answers = (outcome.perSecond * (turnMs + leadMs)) / 1000;
      turns[i]?.push({ ...outcome, cpuUs: ((cpuMsOf(server.pid) - before) * 1000) / answers });
    }
  }
  return turns;
}

/** The medians of some turns, and all their errors. */
export function middle(turns: readonly Turn[]): Turn {
  return { ...middleOutcome(turns), cpuUs: median(turns.map(({ cpuUs }) => cpuUs)) };
}

/** The same of what the load alone has seen. */
export function middleOutcome(turns: readonly Outcome[]): Outcome {
  const of = (name: keyof Outcome): number => median(turns.map((turn) => turn[name]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    errors: turns.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** How many times as many requests as another, in the middle of the rounds. */
export function ratio(turns: readonly Turn[], others: readonly Turn[]): number {
  return median(ratios(turns, others));
}

/** The same for each round. */
export function ratios(turns: readonly Turn[], others: readonly Turn[]): number[] {
  return turns.map(({ perSecond }, i) => perSecond / (others[i]?.perSecond ?? NaN));
}
