import { Problem } from '../errors.ts';
import { isRetryableAlone } from './errors.ts';
import type { Db } from './tables.ts';

/** What is done at once; the results are in the order of the items. */
type Run<Item, Result> = (db: Db, items: readonly Item[]) => Promise<readonly Result[]>;

interface Limits<Item> {
  /** How many runs are under way at once; what is asked for meanwhile waits for the next. */
  readonly runsMax: number;
  /** For how long a run counts as one of them: others must not wait for one that waits itself. */
  readonly countsForMs: number;
  /** How much is done in one run, in the measure of `sizeOf`. */
  readonly sizeMax: number;
  readonly sizeOf: (item: Item) => number;
}

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does in one statement what requests ask for at the same time, as databases do with commits: disk, network and triggers
 * then take their time once for all of them.
 *
 * In a transaction each is done for itself. So it is where the statement failed and nothing was done, as that may be the
 * fault of one.
 */
export function batch<Item, Result>(
  run: Run<Item, Result>,
  limits: Limits<Item>,
): (db: Db, item: Item) => Promise<Result> {
  const queues = new WeakMap<Db, (item: Item) => Promise<Result>>();
  return (db, item) => {
    if (db.isTransaction) return runSingle(run, db, item);
    const queue = queues.get(db) ?? createQueue(run, db, limits);
    queues.set(db, queue);
    return queue(item);
  };
}

function createQueue<Item, Result>(
  run: Run<Item, Result>,
  db: Db,
  limits: Limits<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Pending<Item, Result>[] = [];
  let runs = 0;
  let isStarting = false;
  function start(): void {
    if (isStarting || waiting.length === 0 || runs >= limits.runsMax) return;
    isStarting = true;
    // Others may ask in this turn of the event loop as well.
    setImmediate(() => {
      isStarting = false;
      runs += 1;
      let counts = true;
      const makeRoom = (): void => {
        if (counts) runs -= 1;
        counts = false;
        start();
      };
      const timer = setTimeout(makeRoom, limits.countsForMs);
      void runBatch(run, db, takeNext(waiting, limits)).finally(() => {
        clearTimeout(timer);
        makeRoom();
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
  waiting: Pending<Item, Result>[],
  { sizeMax, sizeOf }: Limits<Item>,
): Pending<Item, Result>[] {
  let [count, size] = [0, 0];
  for (const { item } of waiting) {
    size += sizeOf(item);
    if (count > 0 && size > sizeMax) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

async function runBatch<Item, Result>(
  run: Run<Item, Result>,
  db: Db,
  asked: readonly Pending<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(
      db,
      asked.map(({ item }) => item),
    );
    if (results.length !== asked.length) throw new Error(incomplete);
    for (const [i, result] of results.entries()) asked[i]?.resolve(result);
  } catch (error) {
    const isShared = asked.length > 1 && error instanceof Problem && isRetryableAlone(error);
    for (const { item, resolve, reject } of asked) {
      if (isShared) runSingle(run, db, item).then(resolve, reject);
      else reject(error);
    }
  }
}

async function runSingle<Item, Result>(run: Run<Item, Result>, db: Db, item: Item): Promise<Result> {
  const [result] = await run(db, [item]);
  if (result === undefined) throw new Error(incomplete);
  return result;
}

const incomplete = 'A run must give a result for each item.';
