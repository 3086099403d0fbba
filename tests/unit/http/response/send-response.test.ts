import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { eventStream } from '../../../../server/src/http/response/send-response.ts';
import type { Schemas } from '../../../../server/src/contract/operation.ts';

const data = { run_id: 'r', message_id: 'm', offset: 0, text: 'a\nb' };
const always = (): boolean => true;
const event: Schemas['RunEvent'] = { event: 'message.delta', data };

it('silence is filled with comments, and the event after it still comes', async () => {
  const quiet = Promise.withResolvers<undefined>();
  async function* events(): AsyncGenerator<Schemas['RunEvent']> {
    await quiet.promise;
    yield event;
  }
  const stream = eventStream(events(), always, 1);
  stream.once('data', () => {
    quiet.resolve(undefined);
  });

  expect(await text(stream)).toMatch(/^(?:: still here\n\n)*event: message\.delta\n/);
});
