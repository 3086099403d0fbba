import { FairLimit } from '../../../../server/src/limits/fair-limit.ts';
import { describe, expect, it } from 'vitest';
import { createRunEventBus, endOfLog } from '../../../../server/src/agents/responses/run-event-bus.ts';

const { signal } = new AbortController();

describe('createRunEventBus', () => {
  it('joins unread text', async () => {
    const bus = createRunEventBus(new FairLimit(8, 'http_requests_in_flight'));
    const { next } = bus.subscribe({ id: 'run', userId: 'alice' });

    bus.publish('run', { kind: 'text', messageId: 'm', offset: 0, text: 'Buy ' });
    bus.publish('run', { kind: 'text', messageId: 'm', offset: 4, text: 'milk' });

    expect(await next(signal)).toEqual([{ kind: 'text', messageId: 'm', offset: 0, text: 'Buy milk' }]);
  });

  it('keeps the texts of two messages apart', async () => {
    const bus = createRunEventBus(new FairLimit(8, 'http_requests_in_flight'));
    const { next } = bus.subscribe({ id: 'run', userId: 'alice' });
    const first = { kind: 'text', messageId: 'm', offset: 0, text: 'Buy ' } as const;
    const second = { kind: 'text', messageId: 'n', offset: 0, text: 'Buy milk' } as const;

    for (const piece of [first, second]) bus.publish('run', piece);

    expect(await next(signal)).toEqual([first, second]);
  });

  it('keeps the end of a log that a worker still adds a message to', async () => {
    const bus = createRunEventBus(new FairLimit(8, 'http_requests_in_flight'));
    const { next } = bus.subscribe({ id: 'run', userId: 'alice' });

    bus.publish('run', endOfLog);
    bus.publish('run', { kind: 'log', upToSeq: 5 });

    expect(await next(signal)).toEqual([endOfLog]);
  });
});
