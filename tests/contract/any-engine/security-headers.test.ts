import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();

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

describe('the response to a line that is not HTTP', () => {
  it('forbids browsers to sniff its type', async () => {
    const answer = await sendRaw(server.url, 'nonsense\r\n\r\n');

    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\nX-Content-Type-Options: nosniff\r\n/s);
  });
});
