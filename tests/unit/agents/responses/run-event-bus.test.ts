import { expect, it } from 'vitest';
import {
  createRunEventBus,
  endOfLog,
  type RunUpdate,
} from '../../../../server/src/agents/responses/run-event-bus.ts';
import { FairLimit } from '../../../../server/src/limits/fair-limit.ts';

const piece = (messageId: string, offset: number, text: string): RunUpdate => ({
  ...({ kind: 'text', messageId, offset, text } as const),
});
const [first, second] = [piece('m', 0, 'Buy '), piece('n', 0, 'Buy milk')];

it.each<[string, RunUpdate[], RunUpdate[]]>([
  ['text of a message is joined', [first, piece('m', 4, 'milk')], [piece('m', 0, 'Buy milk')]],
  ['texts of two messages stay apart', [first, second], [first, second]],
  ['end of a log stays if a worker adds a message', [endOfLog, { kind: 'log', upToSeq: 5 }], [endOfLog]],
])('the unread %s', async (_promise, published, unread) => {
  const bus = createRunEventBus(new FairLimit(8, 'http_requests_in_flight'));
  const { next } = bus.subscribe({ id: 'run', userId: 'alice' });

  for (const update of published) bus.publish('run', update);

  expect(await next(new AbortController().signal)).toEqual(unread);
});
