import { describe, expect, it } from 'vitest';
import { memoizeAsync } from '../../../server/src/http/memoize-async.ts';

describe('memoizeAsync', () => {
  it('loads each thing once, however many ask', async () => {
    const loaded: string[] = [];
    const load = memoizeAsync((name: string) => Promise.resolve(loaded.push(name)));

    expect(await Promise.all([load('a'), load('a'), load('b'), load('a')])).toEqual([1, 1, 2, 1]);
    expect(loaded).toEqual(['a', 'b']);
  });

  it('tries again after a failure', async () => {
    let attempts = 0;
    const load = memoizeAsync(() => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('EMFILE')) : Promise.resolve('page');
    });

    await expect(load('page')).rejects.toThrow('EMFILE');
    expect(await load('page')).toBe('page');
  });
});
