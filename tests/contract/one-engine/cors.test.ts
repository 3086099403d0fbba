import { expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config/config.ts';
import { sendMessage } from '../../support/mcp.ts';
import { responseTo, type RawResponse } from '../../support/raw.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const origin = 'https://app.example.com';
const foreignOrigin = 'https://evil.example.com';
const publicUrl = 'https://tasks.example.com';
const applications = [
  'capacitor://localhost',
  'tauri://localhost',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
];

const origins = ['https://other.example.com', origin, ...applications].join(', ');
const server = await startTestServer({ env: { CORS_ORIGINS: origins, PUBLIC_URL: publicUrl } });

it.each([
  ['PUT', '/api/tasks'],
  ['POST', '/mcp'],
])('allows a page of a configured origin to send any documented request: %s %s', async (method, path) => {
  const response = await fetch(server.url + path, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key,if-match',
    },
  });

  expect(response.status).toBe(204);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin);
  expect(response.headers.get('Access-Control-Allow-Methods')).toContain(method);
  expect(response.headers.get('Access-Control-Allow-Headers')).toContain('idempotency-key');
});

it('allows that page to read every header of successes and failures', async () => {
  const headers = { Origin: origin, Authorization: `Bearer ${await tokenFor('alice')}` };

  const success = await fetch(`${server.url}/api/tasks`, { headers });
  const failure = await fetch(`${server.url}/api/tasks/none`, { headers });

  for (const { headers: given } of [success, failure]) {
    expect(given.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(given.get('Access-Control-Expose-Headers')).toBe('*');
  }
});

it.each<[what: string, url: string, page: string, allowed: string | null]>([
  ['no page of another origin', server.url, foreignOrigin, null],
  ['no page unless origins are configured', sharedServer().url, origin, null],
  ...applications.map((page): [string, string, string, string] => ['an application', server.url, page, page]),
])('allows %s to read anything: %s, %s', async (_what, url, page, allowed) => {
  const { headers } = await fetch(`${url}/api/tasks`, { headers: { Origin: page } });

  expect(headers.get('Access-Control-Allow-Origin')).toBe(allowed);
});

it.each([
  ['no Host', 400, 'GET /api/tasks HTTP/1.1'],
  ['too many headers', 431, 'GET /api/tasks HTTP/1.1', 'Host: x', ...Array<string>(100).fill('X: y')],
])('allows that page to read the problem of a request with %s', async (_what, status, line, ...head) => {
  const from = (page: string): Promise<RawResponse> => {
    const lines = [line, `Origin: ${page}`, 'X-Request-Id: from-the-page', ...head, '', ''];
    return responseTo(server.url, lines.join('\r\n'));
  };

  const [own, foreign] = [await from(origin), await from(foreignOrigin)];

  expect(own.status).toBe(status);
  expect(Object.fromEntries(own.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': expect.any(String),
    'x-request-id': 'from-the-page',
  });
  expect(foreign.headers.get('Access-Control-Allow-Origin')).toBeNull();
});

it('lets only pages of configured origins and of PUBLIC_URL send messages to /mcp', async () => {
  const list = async (page: string) =>
    sendMessage(server, await tokenFor('alice'), 'tools/list', {}, { Origin: page });

  const [own, foreign] = [await list(origin), await list(foreignOrigin)];
  const ofServer = await list(publicUrl);

  expect([own.status, own.headers.get('Access-Control-Allow-Origin')]).toEqual([200, origin]);
  // The browser needs no CORS for pages of the server's own address.
  expect([ofServer.status, ofServer.headers.get('Access-Control-Allow-Origin')]).toEqual([200, null]);
  expect([foreign.status, foreign.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null]);
  expect(foreign.body.detail).toMatch(/^Pages of this origin may not use this server\./);
});

it.each([
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com:443',
  'https://App.example.com',
  'capacitor://localhost/',
  'capacitor:localhost',
  'capacitor://user@localhost',
  'file://',
  'file:///tmp',
  'data:text/plain',
  'null',
  '*',
  'https://*.example.com',
  'https://*',
])('refuses %s as an origin at the start', (value) => {
  expect(() => readConfig({ CORS_ORIGINS: value })).toThrow(/CORS_ORIGINS must list origins/);
});
