import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { FairQueue } from '../../../server/src/limits/fair-queue.ts';
import { LoopTime } from '../../../server/src/limits/loop-time.ts';

const stays = (): boolean => false;
/** Synchronous work that takes this time. */
const busyFor = (ms: number) => (): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};
const limitOf = (max: number): FairLimit =>
  new FairLimit(max, 'http_requests_in_flight', { help: undefined });

describe('a fair limit', () => {
  it('gives a caller that holds nothing a small amount, even if others hold the whole', () => {
    const limit = new FairLimit(8, 'http_buffered_bytes', { help: undefined, smallMax: 2 });
    for (const id of ['a', 'b', 'c', 'd']) limit.acquire(id, 2);

    const acquired = [3, 2, 1].map((amount) => limit.tryAcquire('e', amount));

    expect(acquired).toEqual([false, true, false]);
  });

  it('is never above twice the whole, however many callers there are', () => {
    const limit = limitOf(8);

    const acquired = Array.from({ length: 20 }, (_, n) => limit.tryAcquire(`caller ${n}`));

    expect(acquired.filter(Boolean)).toHaveLength(16);
  });

  it('gives a caller that holds nothing more than its quarter, and anything while nothing is held', () => {
    const limit = limitOf(8);

    expect([limit.tryAcquire('a', 5), limit.tryAcquire('b', 4), limit.tryAcquire('b', 3)]).toEqual([
      ...[true, false, true],
    ]);
    expect(limitOf(8).tryAcquire('a', 100)).toBe(true);
  });
});

describe('a fair queue', () => {
  it('begins the work of every caller before the second of a caller that uses up its share', async () => {
    const order: string[] = [];
    const queue = new FairQueue(limitOf(2), new LoopTime(), 60_000);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const work = (name: string) => (): Promise<undefined> => {
      order.push(name);
      return released;
    };

    const all = [
      queue.run('a', stays, work('a1')),
      queue.run('a', stays, work('a2')),
      queue.run('a', stays, work('a3')),
      queue.run('b', stays, work('b1')),
      queue.run('c', stays, work('c1')),
    ];
    await expect.poll(() => order).toEqual(['a1', 'b1', 'c1']);
    release(undefined);
    await Promise.all(all);

    expect(order.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('begins the work of the caller that has used the event loop least', async () => {
    const loopTime = new LoopTime();
    const queue = new FairQueue(limitOf(8), loopTime, 60_000);
    const order: string[] = [];
    const work = (name: string) => () => Promise.resolve(order.push(name));
    loopTime.limit.acquire('a', 200_000);
    loopTime.limit.acquire('b', 100_000);

    await Promise.all(['a', 'b', 'c'].map((id) => queue.run(id, stays, work(id))));

    expect(order).toEqual(['c', 'b', 'a']);
  });

  it('lets a caller that has used a quarter of the last second wait while another below its quarter runs', async () => {
    const loopTime = new LoopTime();
    const queue = new FairQueue(limitOf(8), loopTime, 60_000);
    const order: string[] = [];
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    loopTime.measure('heavy', busyFor(600));

    const light = queue.run('light', stays, () => {
      order.push('light begins');
      return released.then(() => order.push('light ends'));
    });
    const heavy = queue.run('heavy', stays, () => Promise.resolve(order.push('heavy')));
    await setTimeout(50);
    release(undefined);
    await Promise.all([light, heavy]);

    expect(order).toEqual(['light begins', 'light ends', 'heavy']);
  });

  it('does not let callers above their quarters wait for each other', async () => {
    const loopTime = new LoopTime();
    const queue = new FairQueue(limitOf(8), loopTime, 60_000);
    loopTime.measure('a', busyFor(300));
    loopTime.measure('b', busyFor(300));
    const { promise: begun, resolve } = Promise.withResolvers<undefined>();

    const first = queue.run('a', stays, () => begun);
    await queue.run('b', stays, () => {
      resolve(undefined);
      return begun;
    });

    await first;
  });

  it('lets others run while work waits for something else than the database', async () => {
    const queue = new FairQueue(limitOf(1), new LoopTime(), 60_000);
    const { promise: picture, resolve: paint } = Promise.withResolvers<undefined>();

    const first = queue.run('a', stays, () => picture.then(() => 'painted'), { usesDatabase: false });
    await queue.run('a', stays, () => {
      paint(undefined);
      return picture;
    });

    await expect(first).resolves.toBe('painted');
  });

  it('leaves out the work of a client that has left', async () => {
    const running = limitOf(1);
    const queue = new FairQueue(running, new LoopTime(), 60_000);
    running.acquire('a');
    let hasLeft = false;
    const done: string[] = [];
    const work = (name: string) => () => Promise.resolve(done.push(name));

    const left = queue.run('a', () => hasLeft, work('left'));
    const other = queue.run('a', stays, work('other'));
    hasLeft = true;
    running.release('a');
    await queue.run('b', stays, work('b'));
    await expect(left).rejects.toThrow('The connection was closed before the request began.');
    await other;

    expect(done.toSorted()).toEqual(['b', 'other']);
  });
});
