import { describe, expect, it } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { createEventBus, type EventBus } from '../../../server/src/lib/event-bus.ts';

const ofAlice = { id: 'a', userId: 'alice' };
const ofBob = { id: 'b', userId: 'bob' };
const signal = new AbortController().signal;

describe('subscribe', () => {
  it('holds one of the limit for each subscription, by its user', () => {
    const bus = createBus();

    bus.subscribe(ofAlice);
    bus.subscribe({ ...ofAlice, id: 'another' });
    bus.subscribe(ofBob);

    expect(bus.limit.held).toBe(3);
    expect(() => bus.subscribe(ofAlice)).toThrow('more work than it can queue');
    expect(bus.limit.hasRoom('bob')).toBe(true);
  });

  it('gives a subscription back once it is closed, even if it is closed twice', () => {
    const bus = createBus();
    const { close } = bus.subscribe(ofAlice);
    bus.subscribe(ofAlice);

    close();
    close();

    expect(bus.limit.held).toBe(1);
  });
});

describe('next', () => {
  it('resolves to the unread updates of its topic, joined where they can be', async () => {
    const bus = createBus();
    const { next } = bus.subscribe(ofAlice);

    for (const update of [1, 2, -3]) bus.publish('a', update);
    bus.publish('b', 4);

    await expect(next(signal)).resolves.toEqual([3, -3]);
  });

  it('waits for an update if all are read', async () => {
    const bus = createBus();
    const { next } = bus.subscribe(ofAlice);
    bus.publish('a', 1);
    await next(signal);

    const waiting = next(signal);
    bus.publish('a', 2);

    await expect(waiting).resolves.toEqual([2]);
  });

  it('resolves to no updates when the signal aborts', async () => {
    const { next } = createBus().subscribe(ofAlice);

    await expect(next(AbortSignal.abort())).resolves.toEqual([]);
  });
});

/** Coalesces numbers of the same sign into their sum. */
function createBus(): EventBus<number> {
  return createEventBus(new FairLimit(8, 'http_requests_in_flight'), (unread, next) =>
    Math.sign(unread) === Math.sign(next) ? unread + next : undefined,
  );
}
