import { beforeEach, describe, expect, it } from 'vitest';
import { databaseProblem } from '../../../server/src/db/errors.ts';
import { batch } from '../../../server/src/db/batch.ts';

const limits = {
  activeMax: 1,
  itemsMax: 4,
  countsForMs: 60_000,
  sizeMax: 10,
  sizeOf: (item: string) => item.length,
};

let runs: string[][];

beforeEach(() => {
  runs = [];
});

describe('batch', () => {
  it('runs concurrent items as one batch', async () => {
    await Promise.all(['a', 'b', 'c'].map(batch(recorded(), limits)));

    expect(runs).toEqual([['a', 'b', 'c']]);
  });

  it('limits the size of a batch, except for one item that is larger', async () => {
    await Promise.all(['12345', '67890', 'a', 'longer than ten', 'b'].map(batch(recorded(), limits)));

    expect(runs).toEqual([['12345', '67890'], ['a'], ['longer than ten'], ['b']]);
  });

  it('limits the number of items of a batch', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(batch(recorded(), limits)));

    expect(runs).toEqual([['a', 'b', 'c', 'd'], ['e']]);
  });

  it('runs each item alone after the batch was rejected', async () => {
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map(batch(recorded('bad', '22P05'), limits)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('retries nothing after a lost connection, because the outcome is unknown', async () => {
    const outcomes = await Promise.allSettled(['a', 'bad'].map(batch(recorded('bad', '57P01'), limits)));

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toEqual([['a', 'bad']]);
  });

  it('starts the next batch while one takes longer than it counts', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const record = batch<string>(
      async (items) => {
        if (items.includes('slow')) await released;
        runs.push([...items]);
      },
      { ...limits, countsForMs: 1 },
    );
    const slow = record('slow');
    await new Promise(setImmediate);

    await record('quick');
    release();
    await slow;
    expect(runs).toEqual([['quick'], ['slow']]);
  });
});

/** Records its batches. Fails with a SQLSTATE if a batch has the bad item. */
function recorded(bad = '', sqlState = ''): (items: readonly string[]) => Promise<void> {
  return (items) => {
    runs.push([...items]);
    if (bad === '' || !items.includes(bad)) return Promise.resolve();
    return Promise.reject(databaseProblem(Object.assign(new Error('rejected'), { code: sqlState })));
  };
}
