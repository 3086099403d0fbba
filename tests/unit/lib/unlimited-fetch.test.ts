import { createServer, type ServerResponse } from 'node:http';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { expect, it } from 'vitest';
import { unlimitedFetch } from '../../../server/src/lib/unlimited-fetch.ts';
import { cleanUpAfter } from '../../support/cleanup.ts';
import { listen } from '../../support/listen.ts';

/** Starts a server whose responses the test writes. Shortens the limits of Node's own fetch, which are five minutes. */
async function startSilentServer(): Promise<{ url: string; responses: ServerResponse[] }> {
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  const usual = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ headersTimeout: 50, bodyTimeout: 50 }));
  cleanUpAfter(() => {
    setGlobalDispatcher(usual);
    server.closeAllConnections();
    server.close();
  });
  return { url, responses };
}

it('waits for the head of a response for longer than fetch does', async () => {
  const { url, responses } = await startSilentServer();

  const response = unlimitedFetch(url);
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  for (const each of responses) each.end('late');

  expect(await (await response).text()).toBe('late');
});

it('waits for the next piece of a body for longer than fetch does', async () => {
  const { url, responses } = await startSilentServer();

  const heads = Promise.all([unlimitedFetch(url), fetch(url)]);
  await expect.poll(() => responses).toHaveLength(2);
  for (const each of responses) each.write('first ');
  const [unlimited, limited] = await heads;
  await expect(limited.text()).rejects.toMatchObject({ cause: { code: 'UND_ERR_BODY_TIMEOUT' } });
  for (const each of responses) each.end('and last');

  expect(await unlimited.text()).toBe('first and last');
});

it('ends with the signal of its caller', async () => {
  const { url } = await startSilentServer();

  await expect(unlimitedFetch(url, { signal: AbortSignal.timeout(1) })).rejects.toThrow(/timeout/);
});
