import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendRaw, sendUnfinished } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { startMock } from './mock-process.ts';

const server = sharedServer();
const url = await startMock();

/** The parts of a request, except path and token. */
interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer<ArrayBuffer>;
}

/** The mock receives and validates requests by the server's code, which contract/one-engine/ tests. */
describe('a request is answered as by the server', () => {
  const json = { 'Content-Type': 'application/json' };
  const post = (body: string | Buffer, headers: Record<string, string> = json): Sent => ({
    method: 'POST',
    headers,
    body: Buffer.from(body),
  });

  it.each<[string, number, Sent?, string?]>([
    ['about the methods of a path', 204, { method: 'OPTIONS' }],
    ['at another path', 404, {}, '/api/nothing'],
    ['with an unknown query parameter', 400, {}, '/api/tasks?x=1'],
    [
      'with a packed body',
      201,
      post(gzipSync('{"title":"Buy milk"}'), { ...json, 'Content-Encoding': 'gzip' }),
    ],
    ['with a body that breaks the contract', 400, post('{"title": ""}')],
    ['with plain text', 415, post('x', { 'Content-Type': 'text/plain' })],
  ])('%s', async (_which, status, init = {}, path = '/api/tasks') => {
    const [mocked, expected] = await Promise.all(
      [
        { base: url, token: 'any' },
        { base: server.url, token: await server.token('alice') },
      ].map(async ({ base, token }) => {
        const headers = new Headers(init.headers);
        headers.set('Authorization', `Bearer ${token}`);
        const response = await fetch(base + path, { ...init, headers });
        const text = await response.text();
        // Successes count as equal if both have a body, because mock and server have different tasks.
        const body = text === '' || response.ok ? text !== '' : (JSON.parse(text) as object);
        const [type, allow] = ['Content-Type', 'Allow'].map((name) => response.headers.get(name));
        return { status: response.status, type, allow, body };
      }),
    );

    const { body } = expected ?? {};
    const ofRequest = { request_id: expect.any(String) as string };
    expect(mocked?.status).toBe(status);
    const asServer = { ...expected, body: typeof body === 'object' ? { ...body, ...ofRequest } : body };
    expect(mocked).toEqual(asServer);
  });
});

describe('what is not a request to the mock is refused', () => {
  const get = (target: string, method = 'GET'): string =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer any\r\nConnection: close\r\n\r\n`;

  const expecting =
    'POST /api/tasks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n';
  const problem = (status: number): RegExp =>
    new RegExp(`^HTTP/1\\.1 ${status} [^]*content-type: application/problem\\+json`, 'i');

  it.each([
    ['an unknown path of another server', get('HTTP://user:password@127.0.0.1:1/x', 'POST'), problem(404)],
    ['a target that is no path', get('foo://127.0.0.1:1'), problem(400)],
    ['a body that will not be read', expecting, problem(401)],
    // Node itself answers the following, as mock.md says.
    ['CONNECT', get('127.0.0.1:1', 'CONNECT'), /^$/],
    ['bytes that are not HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('%s', async (_what, bytes, expected) => {
    expect(await sendRaw(url, bytes)).toMatch(expected);
    expect(await statusNow()).toBe(200);
  });

  it('but a request for an upgrade is answered without upgrading', async () => {
    const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade, close\r\nAuthorization: Bearer any';

    expect(await sendRaw(url, `GET /api/tasks HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n/,
    );
  });
});

it('a client that leaves in the middle of its request does not end the mock', async () => {
  const head = 'HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer any';
  for (const line of ['POST /api/tasks', 'CONNECT 127.0.0.1:1']) {
    const socket = await sendUnfinished(url, `${line} ${head}`);
    socket.on('error', () => undefined).resume();
    socket.resetAndDestroy();
    await once(socket, 'close');
  }

  expect(await statusNow()).toBe(200);
});

/** The status of an ordinary request now. */
async function statusNow(): Promise<number> {
  const { status } = await fetch(`${url}/api/tasks`, { headers: { Authorization: 'Bearer any' } });
  return status;
}
