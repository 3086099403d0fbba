import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { FairQueue } from '../../../server/src/limits/fair-queue.ts';

/** Synchronous work that takes this time. */
const busyFor = (ms: number) => (): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};
const limitOf = (max: number): FairLimit => new FairLimit(max, 'http_requests_in_flight');

describe('a fair limit', () => {
  it.each<[promise: string, max: number, amountsOfCallers: number[][], fitting: number[]]>([
    [
      'has a 1,024th for a caller that holds nothing, even if others hold all of it',
      2048,
      [[512], [512], [512], [512], [3, 2, 1]],
      [512, 512, 512, 512, 2],
    ],
    ['is never exceeded by more than its size', 8, Array<number[]>(20).fill([1]), Array<number>(16).fill(1)],
    ['has more than its quarter for a caller that holds nothing', 8, [[5], [4, 3]], [5, 3]],
    ['has any amount while nothing is held', 8, [[100]], [100]],
  ])('%s', (_promise, max, amountsOfCallers, fitting) => {
    const limit = limitOf(max);

    const added = amountsOfCallers.flatMap((amounts, callerId) =>
      amounts.filter((amount) => {
        const hasCapacity = limit.hasCapacity(String(callerId), amount);
        if (hasCapacity) limit.add(String(callerId), amount);
        return hasCapacity;
      }),
    );

    expect(added).toEqual(fitting);
  });
});

describe('a fair queue', () => {
  it('begins the work of the caller that has used the event loop least', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const order: string[] = [];
    const work = (name: string) => () => Promise.resolve(order.push(name));
    await queue.run('z', work('z'));
    queue.measure('a', busyFor(100));
    queue.measure('b', busyFor(50));

    await Promise.all(['a', 'b', 'c'].map((id) => queue.run(id, work(id))));

    expect(order).toEqual(['z', 'c', 'b', 'a']);
  });

  it('makes a caller above its quarter of the event loop wait while a caller below its quarter runs', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const order: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();

    const light = queue.run('light', () => {
      order.push('light begins');
      return released.then(() => order.push('light ends'));
    });
    await expect.poll(() => order).toEqual(['light begins']);
    queue.measure('heavy', busyFor(400));
    const heavy = queue.run('heavy', () => Promise.resolve(order.push('heavy')));
    await setTimeout(50);
    release(undefined);
    await Promise.all([light, heavy]);

    expect(order).toEqual(['light begins', 'light ends', 'heavy']);
  });

  it('makes a caller above its quarter wait only until enough of its time is forgotten', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const light = queue.run('light', () => released);
    await setTimeout(50);
    queue.measure('heavy', busyFor(200));

    await queue.run('heavy', () => Promise.resolve());

    release(undefined);
    await light;
  });

  it('does not count work without the database as running', async () => {
    const queue = new FairQueue(limitOf(1), 60_000);
    const { promise: picture, resolve: paint } = Promise.withResolvers<undefined>();

    const first = queue.run('a', () => picture.then(() => 'painted'), { usesDatabase: false });
    await queue.run('a', () => {
      paint(undefined);
      return picture;
    });

    await expect(first).resolves.toBe('painted');
  });
});
