import { Problem } from '../errors.ts';
import { isRetryableAlone } from './errors.ts';

/** Processes a batch, as a whole or not at all. */
type Process<Item> = (items: readonly Item[]) => Promise<void>;

interface Limits<Item> {
  /** How many batches run at the same time. Further items wait for the next batch. */
  readonly activeMax: number;
  /** How long a batch counts towards `activeMax`: a batch that waits for a lock must not delay the next ones. */
  readonly countsForMs: number;
  /** The maximum number of items of a batch. */
  readonly itemsMax: number;
  /** The maximum size of a batch: the sum of `sizeOf` its items. */
  readonly sizeMax: number;
  readonly sizeOf: (item: Item) => number;
}

interface Pending<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the items of concurrent requests as one batch. If a batch fails and did nothing, each of its items runs on its
 * own, because one item may have caused the failure.
 */
export function batch<Item>(
  processItems: Process<Item>,
  limits: Limits<Item>,
): (item: Item) => Promise<void> {
  const waiting: Pending<Item>[] = [];
  let active = 0;
  let isStarting = false;
  function start(): void {
    if (isStarting || waiting.length === 0 || active >= limits.activeMax) return;
    isStarting = true;
    // Collects the items of this turn of the event loop.
    setImmediate(() => {
      isStarting = false;
      active += 1;
      let isCounted = true;
      const release = (): void => {
        if (isCounted) active -= 1;
        isCounted = false;
        start();
      };
      const timer = setTimeout(release, limits.countsForMs);
      void processBatch(processItems, takeNext(waiting, limits)).finally(() => {
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
function takeNext<Item>(
  waiting: Pending<Item>[],
  { itemsMax, sizeMax, sizeOf }: Limits<Item>,
): Pending<Item>[] {
  let [count, size] = [0, 0];
  for (const { item } of waiting) {
    size += sizeOf(item);
    if (count === itemsMax || (count > 0 && size > sizeMax)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

async function processBatch<Item>(
  processItems: Process<Item>,
  batched: readonly Pending<Item>[],
): Promise<void> {
  try {
    await processItems(batched.map(({ item }) => item));
    for (const { resolve } of batched) resolve();
  } catch (error) {
    const isRetried = batched.length > 1 && error instanceof Problem && isRetryableAlone(error);
    for (const { item, resolve, reject } of batched) {
      if (isRetried) processItems([item]).then(resolve, reject);
      else reject(error);
    }
  }
}
