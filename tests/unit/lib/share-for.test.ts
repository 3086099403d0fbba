import { describe, expect, it } from 'vitest';
import { shareFor } from '../../../server/src/lib/share-for.ts';

describe('a shared result', () => {
  it('is made once for all calls that wait for it, and for later ones', async () => {
    let made = 0;
    const share = shareFor(Infinity, async () => {
      await Promise.resolve();
      return (made += 1);
    });

    const results = await Promise.all(Array.from({ length: 100 }, share));

    expect(new Set([...results, await share()])).toEqual(new Set([1]));
  });

  it('is made again after a failure, which all waiting calls get', async () => {
    let attempts = 0;
    const share = shareFor(Infinity, () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('first')) : Promise.resolve(attempts);
    });

    const first = await Promise.allSettled([share(), share()]);

    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(share()).resolves.toBe(2);
  });
});
