import { afterAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../../support/client.ts';
import { newKey, startIssuer, type Issuer, type Key } from '../../support/issuer.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

/** Starts an issuer with one key, and a server that trusts it. */
async function startWithIssuer(
  failure?: Issuer['failure'],
): Promise<{ issuer: Issuer; key: Key; server: TestServer; log: string[] }> {
  const key = await newKey('ES256', 'the-key');
  const [issuer, log]: [Issuer, string[]] = [await startIssuer(key.jwk), []];
  issuer.failure = failure;
  return { issuer, key, log, server: await startTestServer({ env: issuer.env, log }) };
}

describe('an issuer that fails', () => {
  spec('listTasks', 503, 'is a 503 with Retry-After until the keys can be fetched', async () => {
    const { issuer, key, server, log } = await startWithIssuer({ status: 500, body: '{}' });
    const alice = new Client(server, await key.sign());

    const answers = [await alice.fails('listTasks', 503), await alice.fails('listTasks', 503)];
    issuer.failure = undefined;
    await expect.poll(async () => (await alice.send('listTasks')).status).toBe(200);

    for (const { body: problem, headers } of answers) {
      expect(problem.detail).toMatch(/^The keys that tokens are verified with cannot be fetched\. /);
      expect(headers.get('Retry-After')).toBe('5');
    }
    const messages = log.map((line) => (JSON.parse(line) as { msg?: string }).msg ?? '');
    expect(messages.filter((message) => message.includes('keys of the issuer'))).toEqual([
      'the keys of the issuer cannot be fetched; those that were fetched stay valid for an hour',
      'the keys of the issuer can be fetched again',
    ]);
  });
});

describe('stale keys of an issuer', () => {
  afterAll(() => vi.useRealTimers());

  it('are reported by /readyz, /metrics and the log', async () => {
    const { issuer, key, server, log } = await startWithIssuer();
    const textAt = async (path: string): Promise<string> => (await fetch(server.url + path)).text();
    await new Client(server, await key.sign({ jti: '1' })).ok('listTasks');
    issuer.failure = { status: 500, body: '' };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });

    await new Client(server, await key.sign({ jti: '2' })).ok('listTasks');

    await expect
      .poll(() => textAt('/readyz'))
      .toBe(
        'ready, but the keys at JWKS_URL are stale: they were fetched 10 minutes ago and cannot be fetched again.\n',
      );
    expect(await textAt('/metrics')).toMatch(/^token_keys_age_seconds 60\d/m);
    expect(log.filter((line) => line.includes('the keys of the issuer cannot be fetched'))).toHaveLength(1);
  });
});
