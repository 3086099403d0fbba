import { overloaded } from '../../errors.ts';

/** Runs some work of a caller, or throws `Overloaded` if it cannot begin in time. */
export type RunPerCaller = <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;

interface CallerQueueOptions {
  /** The number of database connections, of which the work of one caller may hold half. */
  readonly poolSize: number;
  /** How long further work may wait for the caller's earlier work, in milliseconds. */
  readonly poolWaitMs: number;
}

interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

// Far more than a page asks for at once, and few enough that waiting requests take little memory.
const waitingMax = 100;

/**
 * Runs at most as many pieces of work of a caller at once as half of the connections can serve. Others wait in order; when a
 * hundred wait, further work is rejected. Searches through long texts take seconds, and would otherwise hold every
 * connection.
 */
export function createCallerQueue({ poolSize, poolWaitMs }: CallerQueueOptions): RunPerCaller {
  const max = Math.ceil(poolSize / 2);
  const callers = new Map<string, Caller>();
  return async (id, work) => {
    const caller = callers.get(id) ?? { running: 0, waiting: [] };
    callers.set(id, caller);
    if (caller.running < max) caller.running += 1;
    else if (caller.waiting.length < waitingMax) await waitForPlace(caller, poolWaitMs);
    else throw overloaded.DATABASE_POOL_WAIT_MS;
    try {
      return await work();
    } finally {
      const next = caller.waiting.shift();
      if (next === undefined) caller.running -= 1;
      else next();
      if (caller.running === 0) callers.delete(id);
    }
  };
}

/** Resolves when earlier work has ended and passes its place on. */
function waitForPlace({ waiting }: Caller, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(begin), 1);
      reject(overloaded.DATABASE_POOL_WAIT_MS);
    }, waitMs);
    waiting.push(begin);
  });
}
