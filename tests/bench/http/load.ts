import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load-process.ts';

export interface LoadGenerator {
  run(load: Load): Promise<LoadResult>;
  stop(): void;
}

/** Starts a load generator; one with low priority uses only processor time that other processes leave. */
export async function startLoadGenerator({ isLowPriority = false } = {}): Promise<LoadGenerator> {
  const child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(child, 'message');
  if (isLowPriority && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return {
    run: async (load) => {
      child.send(load);
      // The process replies to each message with one result.
      const [result] = (await once(child, 'message')) as [LoadResult];
      return result;
    },
    stop: () => {
      child.disconnect();
    },
  };
}
