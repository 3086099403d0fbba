import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const headersForBrowsers = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
};

describe.each([
  ['a success', 'GET', '/api/tasks'],
  ['an unknown task', 'GET', '/api/tasks/none'],
  ['an unknown path', 'GET', '/none'],
  ['an unsupported method', 'PATCH', '/api/tasks'],
  ['OPTIONS', 'OPTIONS', '/api/tasks'],
  ['a probe', 'GET', '/healthz'],
])('the response to %s', (_what, method, path) => {
  it('forbids browsers to load anything, sniff its type or frame it', async () => {
    const { headers } = await fetch(server.url + path, {
      method,
      headers: { Authorization: `Bearer ${await server.token('alice')}` },
    });

    expect(Object.fromEntries(headers)).toMatchObject(headersForBrowsers);
    expect(headers.has('x-powered-by')).toBe(false);
  });
});

describe.each([
  ['a line that is not HTTP', 'nonsense\r\n\r\n', 400],
  ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('the response to %s', (_what, text, status) => {
  it('has the same headers for browsers, and is complete', async () => {
    const answer = await sendRaw(server.url, text);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*: /, '')]),
    );
    expect(Object.fromEntries(headers)).toMatchObject(headersForBrowsers);
    expect(headers.get('Content-Length')).toBe(String(body.length));
  });
});
