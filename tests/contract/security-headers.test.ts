import { beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

describe.each([
  ['a success', 'GET', '/api/tasks'],
  ['an unknown task', 'GET', '/api/tasks/none'],
  ['an unknown path', 'GET', '/none'],
  ['a method that is not there', 'PATCH', '/api/tasks'],
  ['a question for the methods', 'OPTIONS', '/api/tasks'],
  ['a probe', 'GET', '/healthz'],
])('the answer to %s', (_what, method, path) => {
  it('tells browsers to load nothing, guess nothing and show it in no frame', async () => {
    const { headers } = await fetch(server.url + path, {
      method,
      headers: { Authorization: `Bearer ${await tokenFor('alice')}` },
    });

    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    });
    expect(headers.has('x-powered-by')).toBe(false);
  });
});

describe('the answer to what is no request', () => {
  it('tells browsers to guess nothing', async () => {
    const answer = await sendRaw(server.url, 'nonsense\r\n\r\n');

    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nX-Content-Type-Options: nosniff\r\n/s);
  });
});
