import { describe, expect, it } from 'vitest';
import { createRunEventBus } from '../../../../server/src/agents/responses/run-event-bus.ts';

const ofAlice = { id: 'a', userId: 'alice' };
const ofBob = { id: 'b', userId: 'bob' };

describe('waiterCount', () => {
  it('counts all waiters, and those of a user', () => {
    const runEvents = createRunEventBus();

    runEvents.subscribe(ofAlice, () => undefined);
    runEvents.subscribe({ ...ofAlice, id: 'another' }, () => undefined);
    runEvents.subscribe(ofBob, () => undefined);

    expect([runEvents.waiterCount(), runEvents.waiterCount('alice'), runEvents.waiterCount('bob')]).toEqual([
      3, 2, 1,
    ]);
    expect(runEvents.waiterCount('carol')).toBe(0);
  });

  it('stops counting a waiter once it is closed, even if it is closed twice', () => {
    const runEvents = createRunEventBus();
    const close = runEvents.subscribe(ofAlice, () => undefined);
    runEvents.subscribe(ofAlice, () => undefined);

    close();
    close();

    expect([runEvents.waiterCount(), runEvents.waiterCount('alice')]).toEqual([1, 1]);
  });
});
