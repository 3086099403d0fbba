import { Problem } from '../errors.ts';
import { isOfStatement } from './failures.ts';
import type { Db } from './tables.ts';

interface Limits<Item> {
  /** How many runs are under way at once; what is asked for meanwhile waits for the next. */
  readonly runsMax: number;
  /** How much is done in one run, in the measure of `sizeOf`. */
  readonly sizeMax: number;
  readonly sizeOf: (item: Item) => number;
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does in one statement what requests ask for at the same time, as databases do with commits: disk, network and triggers
 * then take their time once for all of them. `run` gives the results in the order of the items.
 *
 * In a transaction each is done for itself. So it is where the statement failed, as that may be the fault of one.
 */
export function together<Item, Result>(
  run: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
  limits: Limits<Item>,
): (db: Db, item: Item) => Promise<Result> {
  const queues = new WeakMap<Db, (item: Item) => Promise<Result>>();
  return (db, item) => {
    const runHere = (items: readonly Item[]): Promise<readonly Result[]> => run(db, items);
    if (db.isTransaction) return alone(runHere, item);
    const queue = queues.get(db) ?? createQueue(runHere, limits);
    queues.set(db, queue);
    return queue(item);
  };
}

type Run<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

function createQueue<Item, Result>(
  run: Run<Item, Result>,
  limits: Limits<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Asked<Item, Result>[] = [];
  let runs = 0;
  let isStarting = false;
  function start(): void {
    if (isStarting || waiting.length === 0 || runs >= limits.runsMax) return;
    isStarting = true;
    // Others may ask in this turn of the event loop as well.
    setImmediate(() => {
      isStarting = false;
      runs += 1;
      void settle(run, takeNext(waiting, limits)).finally(() => {
        runs -= 1;
        start();
      });
      start();
    });
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      start();
    });
}

/** Takes as many as fit into one run, and always one. */
function takeNext<Item, Result>(
  waiting: Asked<Item, Result>[],
  { sizeMax, sizeOf }: Limits<Item>,
): Asked<Item, Result>[] {
  let size = 0;
  const end = waiting.findIndex(({ item }, i) => (size += sizeOf(item)) > sizeMax && i > 0);
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function settle<Item, Result>(
  run: Run<Item, Result>,
  asked: readonly Asked<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(asked.map(({ item }) => item));
    if (results.length !== asked.length) throw new Error('A run must give a result for each item.');
    for (const [i, result] of results.entries()) asked[i]?.resolve(result);
  } catch (error) {
    const mayBeOfOne = asked.length > 1 && error instanceof Problem && isOfStatement(error);
    for (const { item, resolve, reject } of asked) {
      if (mayBeOfOne) alone(run, item).then(resolve, reject);
      else reject(error);
    }
  }
}

async function alone<Item, Result>(run: Run<Item, Result>, item: Item): Promise<Result> {
  const [result] = await run([item]);
  if (result === undefined) throw new Error('A run must give a result for each item.');
  return result;
}
