import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, expect, it, vi } from 'vitest';
import { Client } from '../../support/client.ts';
import { listen } from '../../support/listen.ts';
import { startTestServer } from '../../support/server.ts';

afterAll(() => {
  vi.useRealTimers();
});

it('/readyz, /metrics and the log say that the keys of an issuer are stale', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'key' }] });
  let status = 200;
  const issuer = createServer((_request, response) => response.writeHead(status).end(keys));
  const env = { JWT_SECRET: '', JWKS_URL: `http://127.0.0.1:${await listen(issuer)}/keys` };
  const log: string[] = [];
  const server = await startTestServer({ env, log });
  const token = (jti: string): Promise<string> =>
    new SignJWT({ sub: 'alice', jti }).setProtectedHeader({ alg: 'ES256', kid: 'key' }).sign(privateKey);
  const textAt = async (path: string): Promise<string> => (await fetch(server.url + path)).text();
  await new Client(server, await token('1')).ok('listTasks');
  status = 500;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });

  await new Client(server, await token('2')).ok('listTasks');

  await expect
    .poll(() => textAt('/readyz'))
    .toBe(
      'ready, but the keys at JWKS_URL are stale: they were fetched 10 minutes ago and cannot be fetched again.\n',
    );
  expect(await textAt('/metrics')).toMatch(/^token_keys_age_seconds 60\d/m);
  expect(log.filter((line) => line.includes('the keys of the issuer cannot be fetched'))).toHaveLength(1);
  issuer.close();
});
