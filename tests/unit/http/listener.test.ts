import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { listen } from '../../../server/src/http/listener.ts';

it('a stream lasts as long as its client reads, and while there is nothing to send', async () => {
  const times = { requestTimeoutMs: 400, shutdownDelayMs: 0, shutdownTimeoutMs: 0 };
  const listener = await listen(
    async (_request, response) => {
      response.write('begin');
      await setTimeout(4 * times.requestTimeoutMs);
      response.end(' end');
    },
    { host: '127.0.0.1', port: 0, reusePort: false, ...times },
  );

  const response = await fetch(listener.url);

  expect(await response.text()).toBe('begin end');
  await listener.close();
});
