import { describe, expect, it } from 'vitest';
import { createRunEventBus } from '../../../../server/src/agents/responses/run-event-bus.ts';

const ofAlice = { id: 'a', userId: 'alice' };
const ofBob = { id: 'b', userId: 'bob' };

describe('listening', () => {
  it('counts all listeners, and those of a user', () => {
    const changes = createRunEventBus();

    changes.subscribe(ofAlice, () => undefined);
    changes.subscribe({ ...ofAlice, id: 'another' }, () => undefined);
    changes.subscribe(ofBob, () => undefined);

    expect([changes.listening(), changes.listening('alice'), changes.listening('bob')]).toEqual([3, 2, 1]);
    expect(changes.listening('carol')).toBe(0);
  });

  it('counts a listener no longer once it is closed, however often that happens', () => {
    const changes = createRunEventBus();
    const close = changes.subscribe(ofAlice, () => undefined);
    changes.subscribe(ofAlice, () => undefined);

    close();
    close();

    expect([changes.listening(), changes.listening('alice')]).toEqual([1, 1]);
  });
});
