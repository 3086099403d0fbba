import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Load, Outcome } from './load-process.ts';

export interface Generator {
  run(load: Load): Promise<Outcome>;
  stop(): void;
}

/** Starts the process that sends the load. One that gives way takes only what processor time the others leave. */
export async function startGenerator({ givesWay = false } = {}): Promise<Generator> {
  const child: ChildProcess = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    execArgv: [],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(child, 'message');
  if (givesWay && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return {
    run: async (load) => {
      child.send(load);
      // The process answers each message with one of this kind.
      const [outcome] = (await once(child, 'message')) as [Outcome];
      return outcome;
    },
    stop: () => {
      child.disconnect();
    },
  };
}
