import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load-process.ts';

export interface LoadGenerator extends Disposable {
  run(load: Load): Promise<LoadResult>;
}

/** Starts a load generator in a process of its own. */
export async function startLoadGenerator(): Promise<LoadGenerator> {
  const child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(child, 'message');
  return {
    run: async (load) => {
      child.send(load);
      // The process replies to each message with one result.
      const [result] = (await once(child, 'message')) as [LoadResult];
      return result;
    },
    [Symbol.dispose]: () => {
      child.disconnect();
    },
  };
}
