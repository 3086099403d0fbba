import { once } from 'node:events';
import { join } from 'node:path';
import { residentMbOf } from '../bench/http/process-stats.ts';
import { childrenOf } from '../support/children.ts';
import type { ServerProcess } from './server-process.ts';

/** The arguments for Node of a server that `memoryUsageOf` can measure. */
export const probeArgs = ['--expose-gc', '--import', join(import.meta.dirname, 'memory-probe.ts')];

export interface MemoryUsage {
  /** Used heap and external memory after a garbage collection, in MB. */
  readonly heap: number;
  /** Resident set of the server process, in MB. */
  readonly resident: number;
  /** The sum of the resident sets of its render processes, in MB. */
  readonly renderProcesses: number;
}

export async function memoryUsageOf({ child, pid }: ServerProcess): Promise<MemoryUsage> {
  const reply = once(child, 'message');
  child.send('memory');
  // This cast is safe: the probe sends the result of `process.memoryUsage()`.
  const [{ heapUsed, rss, external }] = (await reply) as [NodeJS.MemoryUsage];
  // A process that has just ended has no memory.
  const renderProcesses = (await childrenOf(pid)).map((child) => residentMbOf(child) || 0);
  const mb = (bytes: number): number => Math.round(bytes / 2 ** 20);
  return {
    heap: mb(heapUsed + external),
    resident: mb(rss),
    renderProcesses: Math.round(renderProcesses.reduce((sum, each) => sum + each, 0)),
  };
}
