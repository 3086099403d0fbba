import { Problem } from '../errors.ts';
import { isRetryableAlone } from './errors.ts';
import type { Db } from './tables.ts';

/** Processes a batch. The results are in the order of the items. */
type Run<Item, Result> = (db: Db, items: readonly Item[]) => Promise<readonly Result[]>;

interface Limits<Item> {
  /** How many batches run at the same time. Further items wait for the next batch. */
  readonly runsMax: number;
  /** How long a batch counts towards `runsMax`: a batch that waits for a lock must not delay the next ones. */
  readonly countsForMs: number;
  /** The size of a batch, as the sum of `sizeOf` its items. */
  readonly sizeMax: number;
  readonly sizeOf: (item: Item) => number;
}

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the items of concurrent requests as one batch, like a database's group commit: the round trip, the triggers and
 * the write to disk then happen once for all of them.
 *
 * In a transaction each item runs alone. Each item also runs alone after a batch failed and did nothing, because one
 * item may have made it fail.
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
    // Collects the items of this turn of the event loop.
    setImmediate(() => {
      isStarting = false;
      runs += 1;
      let counts = true;
      const release = (): void => {
        if (counts) runs -= 1;
        counts = false;
        start();
      };
      const timer = setTimeout(release, limits.countsForMs);
      void runBatch(run, db, takeNext(waiting, limits)).finally(() => {
        clearTimeout(timer);
        release();
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

/** Takes the items that fit into one batch, and at least one. */
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
  batched: readonly Pending<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(
      db,
      batched.map(({ item }) => item),
    );
    if (results.length !== batched.length) throw new Error(incomplete);
    for (const [i, result] of results.entries()) batched[i]?.resolve(result);
  } catch (error) {
    const isRetried = batched.length > 1 && error instanceof Problem && isRetryableAlone(error);
    for (const { item, resolve, reject } of batched) {
      if (isRetried) runSingle(run, db, item).then(resolve, reject);
      else reject(error);
    }
  }
}

async function runSingle<Item, Result>(run: Run<Item, Result>, db: Db, item: Item): Promise<Result> {
  const [result] = await run(db, [item]);
  if (result === undefined) throw new Error(incomplete);
  return result;
}

const incomplete = 'A batch must return a result for each item.';
