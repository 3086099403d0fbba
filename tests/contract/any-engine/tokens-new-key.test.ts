import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { afterAll, describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { listen } from '../../support/listen.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const published: JWK[] = [];
const issuer = createServer((_request, response) => response.end(JSON.stringify({ keys: published })));

const env = { JWT_SECRET: '', JWKS_URL: `http://127.0.0.1:${await listen(issuer)}/keys` };
const { url } = await startTestServer({ env });

afterAll(() => {
  issuer.close();
});

/** A user whose tokens are signed with a new key, and a function that makes the issuer publish the key. */
async function userWithKey(kid: string): Promise<{ client: Client; publish: () => void }> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid };
  const token = await new SignJWT({ sub: kid }).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  return { client: new Client({ url }, token), publish: () => published.push(jwk) };
}

describe('a key that the issuer adds', () => {
  spec('listTasks', 200, 'verifies tokens soon, even after they were refused without it', async () => {
    const [alice, bob] = [await userWithKey('alice'), await userWithKey('bob')];
    alice.publish();
    await alice.client.ok('listTasks');
    await bob.client.fails('listTasks', 401);
    bob.publish();

    await expect.poll(async () => (await bob.client.send('listTasks')).status).toBe(200);
  });
});
