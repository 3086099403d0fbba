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
/** Takes an amount if the limit has capacity for it. */
const tryToAdd = (limit: FairLimit, callerId: string, amount = 1): boolean => {
  const hasCapacity = limit.hasCapacity(callerId, amount);
  if (hasCapacity) limit.add(callerId, amount);
  return hasCapacity;
};

describe('a fair limit', () => {
  it('gives a caller that holds nothing a small amount, even if others hold the whole', () => {
    const limit = limitOf(2048);
    for (const id of ['a', 'b', 'c', 'd']) limit.add(id, 512);

    const added = [3, 2, 1].map((amount) => tryToAdd(limit, 'e', amount));

    expect(added).toEqual([false, true, false]);
  });

  it('is never above twice the whole, however many callers there are', () => {
    const limit = limitOf(8);

    const added = Array.from({ length: 20 }, (_, n) => tryToAdd(limit, `caller ${n}`));

    expect(added.filter(Boolean)).toHaveLength(16);
  });

  it('gives a caller that holds nothing more than its quarter, and anything while nothing is held', () => {
    const limit = limitOf(8);

    expect([tryToAdd(limit, 'a', 5), tryToAdd(limit, 'b', 4), tryToAdd(limit, 'b', 3)]).toEqual([
      ...[true, false, true],
    ]);
    expect(tryToAdd(limitOf(8), 'a', 100)).toBe(true);
  });
});

describe('a fair queue', () => {
  it('begins the work of every caller before the second of a caller that uses up its share', async () => {
    const order: string[] = [];
    const queue = new FairQueue(limitOf(2), 60_000);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const work = (name: string) => (): Promise<undefined> => {
      order.push(name);
      return released;
    };

    const all = [
      queue.run('a', work('a1')),
      queue.run('a', work('a2')),
      queue.run('a', work('a3')),
      queue.run('b', work('b1')),
      queue.run('c', work('c1')),
    ];
    await expect.poll(() => order).toEqual(['a1', 'b1', 'c1']);
    release(undefined);
    await Promise.all(all);

    expect(order.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('begins the work of the caller that has used the event loop least', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const order: string[] = [];
    const work = (name: string) => () => Promise.resolve(order.push(name));
    // The second begins with the first work.
    await queue.run('z', work('z'));
    queue.measure('a', busyFor(100));
    queue.measure('b', busyFor(50));

    await Promise.all(['a', 'b', 'c'].map((id) => queue.run(id, work(id))));

    expect(order).toEqual(['z', 'c', 'b', 'a']);
  });

  it('lets a caller that has used a quarter of the last second wait while another below its quarter runs', async () => {
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

  it('lets a caller that has used a quarter wait only until that is forgotten', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const light = queue.run('light', () => released);
    await setTimeout(50);
    queue.measure('heavy', busyFor(200));

    await queue.run('heavy', () => Promise.resolve());

    release(undefined);
    await light;
  });

  it('does not let callers above their quarters wait for each other', async () => {
    const queue = new FairQueue(limitOf(8), 60_000);
    const order: string[] = [];
    const { promise: begun, resolve } = Promise.withResolvers<undefined>();

    const first = queue.run('a', () => {
      busyFor(400)();
      order.push('a');
      return begun;
    });
    await expect.poll(() => order).toEqual(['a']);
    queue.measure('b', busyFor(400));
    await queue.run('b', () => {
      resolve(undefined);
      return begun;
    });

    await first;
  });

  it('lets others run while work waits for something else than the database', async () => {
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
