import type { ServerResponse } from 'node:http';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { unlimitedFetch } from '../../../server/src/lib/unlimited-fetch.ts';
import { startHttpServer } from '../../support/http-server.ts';

it('unlimitedFetch waits for the head and for each piece of a body for longer than fetch does', async () => {
  const responses: ServerResponse[] = [];
  const { url } = await startHttpServer((_request, response) => responses.push(response));
  const usual = getGlobalDispatcher();
  // Shortens the limits of Node's own fetch, which are five minutes.
  setGlobalDispatcher(new Agent({ headersTimeout: 50, bodyTimeout: 50 }));
  onTestFinished(() => {
    setGlobalDispatcher(usual);
  });

  const unlimited = unlimitedFetch(url);
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  const limited = fetch(url);
  await expect.poll(() => responses).toHaveLength(3);
  for (const each of responses) each.write('first ');
  await expect((await limited).text()).rejects.toMatchObject({ cause: { code: 'UND_ERR_BODY_TIMEOUT' } });
  for (const each of responses) each.end('and last');

  expect(await (await unlimited).text()).toBe('first and last');
});
