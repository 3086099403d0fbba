import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import { listen } from '../support/listen.ts';
import { sendRaw } from '../support/raw.ts';
import { startMock } from './mock-process.ts';

let visits = 0;

const server = createServer((_request, response) => response.end());
server.on('connection', () => (visits += 1));
cleanUpAfter(() => server.close());
const decoy = `127.0.0.1:${await listen(server)}`;
const mock = await startMock();

// Where a target has DECOY, it names the address of the other server.
const notFound = [
  'http://DECOY/x',
  'http://DECOY/api/tasks',
  'http://DECOY',
  'HTTP://DECOY/x',
  'https://DECOY/x',
  'http://user:password@DECOY/x',
  'http:///DECOY/x',
  '//DECOY/x',
  '//DECOY/api/tasks',
  '//user@DECOY/api/tasks',
  '///DECOY/x',
  '//',
  '///',
  '/',
  '/\\DECOY/x',
  '/\\DECOY/api/tasks',
  '/\\',
  '/\\/DECOY/x',
  '/@DECOY/x',
  '/.//DECOY/x',
  '/%2f/DECOY/x',
  '/api/../..//DECOY/x',
  '/http://DECOY/x',
  '/?__server=http://DECOY',
  '*',
];
const unreadable = [
  'http:/DECOY/x',
  'http:DECOY/x',
  'http://[/x',
  '\\\\DECOY\\x',
  '@DECOY/x',
  'DECOY/x',
  'DECOY',
  '?x',
  '/api/tasks#DECOY',
  '/api/tasks/\u00fc',
  '/api/tasks/%ff',
];

describe.each(['GET', 'POST', 'OPTIONS'])('%s', (method) => {
  it.each(notFound)('%s is not found, and reaches no other server', async (target) => {
    const answer = await send(method, target);

    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(problemOf(answer)).toMatchObject({ title: 'Not Found', status: 404, code: 'Not found' });
    await expectNoVisit();
  });

  it.each(unreadable)('%s is refused, and reaches no other server', async (target) => {
    const answer = await send(method, target);

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(problemOf(answer)).toMatchObject({ title: 'Bad Request', status: 400, code: 'Bad Request' });
    await expectNoVisit();
  });
});

describe('the mock', () => {
  it('is not a proxy for CONNECT', async () => {
    const answer = await send('CONNECT', 'DECOY');

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(problemOf(answer)).toMatchObject({ status: 400, code: 'Bad Request' });
    await expectNoVisit();
  });

  it('goes on when a client of CONNECT resets its connection', async () => {
    const { hostname, port } = new URL(mock);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`CONNECT ${decoy} HTTP/1.1\r\nHost: x\r\n\r\n`, () => socket.resetAndDestroy());
    await once(socket, 'close');

    await expectNoVisit();
  });

  it('does not follow the Host header', async () => {
    expect(await send('GET', '/api/tasks', `Host: ${decoy}`)).toMatch(/^HTTP\/1\.1 200 /);
    await expectNoVisit();
  });

  it('does not follow a server that a query names', async () => {
    await send('GET', '/api/tasks?__server=http://DECOY');
    await expectNoVisit();
  });

  it('answers a request for an upgrade without upgrading', async () => {
    const upgrade = 'Host: x\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    const answer = await sendRaw(
      mock,
      `GET /api/tasks HTTP/1.1\r\n${upgrade}\r\nConnection: Upgrade, close\r\nAuthorization: Bearer any\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await send('GET', '//DECOY/x', `${upgrade}\r\nConnection: Upgrade`)).toMatch(/^HTTP\/1\.1 404 /);
    await expectNoVisit();
  });

  it.each([
    ['that are not HTTP', 'hello\r\n\r\n', 400],
    ['of TLS', '\u0016\u0003\u0001\u0002\r\n\r\n', 400],
    ['with headers above 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'of a broken chunk',
      'POST /api/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ])('answers bytes %s as problem details', async (_which, bytes, status) => {
    const answer = await sendRaw(mock, bytes);

    // The mock may answer the head before it finds that the body is broken.
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 (${status}|401) `));
    expect(answer).toContain('Content-Type: application/problem+json');
    await expectNoVisit();
  });
});

/** Sends a request as a client of a proxy does, and resolves to the response. */
function send(method: string, target: string, headers = 'Host: x'): Promise<string> {
  const lines = [
    `${method} ${target.replace('DECOY', decoy)} HTTP/1.1`,
    headers,
    'Authorization: Bearer secret',
    'Proxy-Authorization: Basic eDp5',
    'Connection: close',
  ];
  return sendRaw(mock, `${lines.join('\r\n')}\r\n\r\n`);
}

function problemOf(answer: string): unknown {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/content-type: application\/problem\+json/i);
  return JSON.parse(body);
}

/** The mock still answers, and nothing has reached the other server. */
async function expectNoVisit(): Promise<void> {
  const { status } = await fetch(`${mock}/api/tasks`, { headers: { Authorization: 'Bearer any' } });
  expect({ status, visits }).toEqual({ status: 200, visits: 0 });
}
