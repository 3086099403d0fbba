import { beforeEach, describe, expect, it } from 'vitest';
import { databaseProblem } from '../../../server/src/db/errors.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { batch } from '../../../server/src/db/batch.ts';
import { dummyDatabase as db } from './dummy-database.ts';

const limits = { runsMax: 1, countsForMs: 60_000, sizeMax: 10, sizeOf: (item: string) => item.length };

let runs: string[][];

beforeEach(() => {
  runs = [];
});

describe('batch', () => {
  it('runs concurrent items as one batch, and returns each item its own result', async () => {
    const toUpperCase = batch(recorded(), limits);

    expect(await Promise.all(['a', 'b', 'c'].map((item) => toUpperCase(db, item)))).toEqual(['A', 'B', 'C']);
    expect(runs).toEqual([['a', 'b', 'c']]);
  });

  it('limits the size of a batch, except for one item that is larger', async () => {
    const toUpperCase = batch(recorded(), limits);

    await Promise.all(['12345', '67890', 'a', 'longer than ten', 'b'].map((item) => toUpperCase(db, item)));

    expect(runs).toEqual([['12345', '67890'], ['a'], ['longer than ten'], ['b']]);
  });

  it('runs each item alone after the batch was rejected', async () => {
    const toUpperCase = batch(recorded('bad', '22P05'), limits);

    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => toUpperCase(db, item)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('retries nothing after a lost connection, because the outcome is unknown', async () => {
    const toUpperCase = batch(recorded('bad', '57P01'), limits);

    const outcomes = await Promise.allSettled(['a', 'bad'].map((item) => toUpperCase(db, item)));

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toEqual([['a', 'bad']]);
  });

  it('starts the next batch while one takes longer than it counts', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const toUpperCase = batch<string, string>(
      async (_, items) => {
        if (items.includes('slow')) await released;
        return items;
      },
      { ...limits, countsForMs: 1 },
    );
    const slow = toUpperCase(db, 'slow');
    await new Promise(setImmediate);

    expect(await toUpperCase(db, 'quick')).toBe('quick');
    release();
    expect(await slow).toBe('slow');
  });

  it('fails all items if a batch returns too few results', async () => {
    const toUpperCase = batch<string, string>((_, items) => Promise.resolve(items.slice(1)), limits);

    await expect(Promise.all([toUpperCase(db, 'a'), toUpperCase(db, 'b')])).rejects.toThrow(
      /a result for each/,
    );
    await expect(toUpperCase(db, 'a')).rejects.toThrow(/a result for each/);
  });

  it('runs each item alone in a transaction', async () => {
    const toUpperCase = batch(recorded(), limits);

    await db
      .transaction()
      .execute((transaction) => Promise.all(['a', 'b'].map((item) => toUpperCase(transaction, item))));

    expect(runs).toEqual([['a'], ['b']]);
  });
});

/** Records its batches and returns the items in capital letters. Fails with a SQLSTATE if a batch has the bad item. */
function recorded(bad = '', sqlState = ''): (db: Db, items: readonly string[]) => Promise<string[]> {
  return (_, items) => {
    runs.push([...items]);
    if (bad === '' || !items.includes(bad)) return Promise.resolve(items.map((item) => item.toUpperCase()));
    return Promise.reject(databaseProblem(Object.assign(new Error('rejected'), { code: sqlState })));
  };
}
