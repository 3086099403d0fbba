import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config/config.ts';
import { allOperations } from '../../support/contract.ts';
import { sharedServer, startTestServer, type TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const origin = 'https://app.example.com';
const documentedHeaders = new Set(
  allOperations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers = {} }) => Object.keys(headers)),
);

describe('CORS', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { CORS_ORIGINS: `https://other.example.com, ${origin}` } });
  });

  it('is off unless origins are configured', async () => {
    const { url } = sharedServer();

    const response = await fetch(`${url}/api/tasks`, { headers: { Origin: origin } });

    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('allows a page of a configured origin to send any documented request', async () => {
    const response = await fetch(`${server.url}/api/tasks`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key,if-match',
      },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin);
    expect(response.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
    expect(response.headers.get('Access-Control-Allow-Headers')).toContain('idempotency-key');
  });

  it('allows that page to read every documented header of successes and failures', async () => {
    const headers = { Origin: origin, Authorization: `Bearer ${await tokenFor('alice')}` };

    const success = await fetch(`${server.url}/api/tasks`, { headers });
    const failure = await fetch(`${server.url}/api/tasks/none`, { headers });

    for (const { headers: given } of [success, failure]) {
      expect(given.get('Access-Control-Allow-Origin')).toBe(origin);
      expect(new Set(given.get('Access-Control-Expose-Headers')?.split(','))).toEqual(documentedHeaders);
    }
  });

  it('does not allow a page of another origin to read anything', async () => {
    const response = await fetch(`${server.url}/api/tasks`, {
      headers: { Origin: 'https://evil.example.com' },
    });

    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it.each(['app.example.com', 'https://app.example.com/', '*'])(
    'refuses %s as an origin at the start',
    (value) => {
      expect(() => readConfig({ CORS_ORIGINS: value })).toThrow(/CORS_ORIGINS must list origins/);
    },
  );
});
