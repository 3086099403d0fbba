import { beforeEach, describe, expect, it } from 'vitest';
import { databaseProblem } from '../../../server/src/db/errors.ts';
import { compiler as db } from '../../../server/src/db/prepare.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { batch } from '../../../server/src/db/batch.ts';

const limits = { runsMax: 1, countsForMs: 60_000, sizeMax: 10, sizeOf: (item: string) => item.length };

let runs: string[][];

beforeEach(() => {
  runs = [];
});

describe('together', () => {
  it('does in one run what is asked for at the same time, and gives each its own result', async () => {
    const shout = batch(recorded(), limits);

    expect(await Promise.all(['a', 'b', 'c'].map((item) => shout(db, item)))).toEqual(['A', 'B', 'C']);
    expect(runs).toEqual([['a', 'b', 'c']]);
  });

  it('keeps to the size of a run, except for what is larger by itself', async () => {
    const shout = batch(recorded(), limits);

    await Promise.all(['12345', '67890', 'a', 'longer than ten', 'b'].map((item) => shout(db, item)));

    expect(runs).toEqual([['12345', '67890'], ['a'], ['longer than ten'], ['b']]);
  });

  it('does each for itself where the statement of many was rejected', async () => {
    const shout = batch(recorded('bad', '22P05'), limits);

    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => shout(db, item)));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(runs).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('repeats nothing after a lost connection, which does not tell what was done', async () => {
    const shout = batch(recorded('bad', '57P01'), limits);

    const outcomes = await Promise.allSettled(['a', 'bad'].map((item) => shout(db, item)));

    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toEqual([['a', 'bad']]);
  });

  it('goes on while a run takes longer than it counts', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const shout = batch<string, string>(
      async (_, items) => {
        if (items.includes('slow')) await held;
        return items;
      },
      { ...limits, countsForMs: 1 },
    );
    const slow = shout(db, 'slow');
    await new Promise(setImmediate);

    expect(await shout(db, 'quick')).toBe('quick');
    release();
    expect(await slow).toBe('slow');
  });

  it('fails all where a run gives too few results', async () => {
    const shout = batch<string, string>((_, items) => Promise.resolve(items.slice(1)), limits);

    await expect(Promise.all([shout(db, 'a'), shout(db, 'b')])).rejects.toThrow(/a result for each/);
    await expect(shout(db, 'a')).rejects.toThrow(/a result for each/);
  });

  it('does each for itself in a transaction', async () => {
    const shout = batch(recorded(), limits);

    await db
      .transaction()
      .execute((transaction) => Promise.all(['a', 'b'].map((item) => shout(transaction, item))));

    expect(runs).toEqual([['a'], ['b']]);
  });
});

/** A run in capital letters, which fails with a SQLSTATE where it has the bad item. */
function recorded(bad = '', sqlState = ''): (db: Db, items: readonly string[]) => Promise<string[]> {
  return (_, items) => {
    runs.push([...items]);
    if (bad === '' || !items.includes(bad)) return Promise.resolve(items.map((item) => item.toUpperCase()));
    return Promise.reject(databaseProblem(Object.assign(new Error('refused'), { code: sqlState })));
  };
}
