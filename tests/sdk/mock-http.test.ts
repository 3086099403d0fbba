import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendRaw, sendUnfinished } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { startMock } from './mock-process.ts';

const server = sharedServer();
const url = await startMock();

/** The mock receives and validates requests by the server's code, which contract/one-engine/ tests. */
describe('a request is answered as by the server', () => {
  const json = { 'Content-Type': 'application/json' };
  const post = (body: string | Buffer, headers: Record<string, string> = json): RequestInit => ({
    method: 'POST',
    headers,
    body: Buffer.from(body),
  });
  const gzip = { ...json, 'Content-Encoding': 'gzip' };

  it.each<[string, number, RequestInit?, string?]>([
    ['about the methods of a path', 204, { method: 'OPTIONS' }],
    ['at another path', 404, {}, '/api/nothing'],
    ['with an unknown query parameter', 400, {}, '/api/tasks?x=1'],
    ['with a packed body', 201, post(gzipSync('{"title":"Buy milk"}'), gzip)],
    ['with a body that breaks the contract', 400, post('{"title": ""}')],
    ['with plain text', 415, post('x', { 'Content-Type': 'text/plain' })],
  ])('%s', async (_which, status, init = {}, path = '/api/tasks') => {
    const answerOf = async (base: string, token: string): Promise<object> => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      const response = await fetch(base + path, { ...init, headers });
      const text = (await response.text()).replace(/"request_id":"[^"]+"/, '');
      const [type, allow] = ['Content-Type', 'Allow'].map((name) => response.headers.get(name));
      // The bodies of successes may differ, because mock and server have different tasks.
      return { status: response.status, type, allow, body: response.ok ? text !== '' : text };
    };

    const mocked = await answerOf(url, 'any');

    expect(mocked).toMatchObject({ status });
    expect(mocked).toEqual(await answerOf(server.url, await server.token('alice')));
  });
});

const line = 'POST /api/tasks HTTP/1.1\r\nHost: x\r\n';

it.each([
  [
    'a body that will not be read is refused as a problem',
    `${line}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
    /^HTTP\/1\.1 401 [^]*content-type: application\/problem\+json/i,
  ],
  // Node itself answers, as mock.md says.
  ['bytes that are not HTTP are refused', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
])('%s', async (_what, bytes, expected) => {
  expect(await sendRaw(url, bytes)).toMatch(expected);
});

it('a client that leaves in the middle of its request does not end the mock', async () => {
  const socket = await sendUnfinished(url, `${line}Authorization: Bearer any`);
  socket.on('error', () => undefined).resume();
  socket.resetAndDestroy();
  await once(socket, 'close');

  const { status } = await fetch(`${url}/api/tasks`, { headers: { Authorization: 'Bearer any' } });
  expect(status).toBe(200);
});
