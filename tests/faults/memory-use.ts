import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childrenOf } from '../support/children.ts';
import type { ServerProcess } from './server-process.ts';

/** Options for Node with which `memoryOf` can ask a server. */
export const probed = {
  nodeArgs: ['--expose-gc', '--import', join(import.meta.dirname, 'memory-probe.ts')],
};

export interface Memory {
  /** What is still needed after a collection, in MB. */
  readonly heap: number;
  /** What the system counts for the server process, in MB. */
  readonly resident: number;
  /** The same of its painter processes, together. */
  readonly painters: number;
}

export async function memoryOf({ child, pid }: ServerProcess): Promise<Memory> {
  const told = once(child, 'message');
  child.send('memory');
  // The probe sends what `process.memoryUsage()` returns.
  const [{ heapUsed, rss, external }] = (await told) as [NodeJS.MemoryUsage];
  const painters = await Promise.all((await childrenOf(pid)).map(residentOf));
  const mb = (bytes: number): number => Math.round(bytes / 2 ** 20);
  return {
    heap: mb(heapUsed + external),
    resident: mb(rss),
    painters: painters.reduce((sum, each) => sum + each, 0),
  };
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
