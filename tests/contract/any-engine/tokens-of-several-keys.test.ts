import { createServer } from 'node:http';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../support/client.ts';
import { listen } from '../../support/listen.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

/** A server whose issuer publishes these keys, and a client for each token. */
async function serverWith(keys: readonly JWK[], log: string[] = []): Promise<(token: string) => Client> {
  const issuer = createServer((_request, response) => response.end(JSON.stringify({ keys })));
  onTestFinished(() => void issuer.close());
  const env = { JWT_SECRET: '', JWKS_URL: `http://127.0.0.1:${await listen(issuer)}/keys` };
  const server = await startTestServer({ env, log });
  return (token) => new Client(server, token);
}

function sign(alg: string, key: CryptoKey, header: object = {}): Promise<string> {
  return new SignJWT({ sub: 'alice' }).setProtectedHeader({ alg, ...header }).sign(key);
}

describe('a key set with several keys of one kind', () => {
  spec('listTasks', 200, 'verifies a token without kid by whichever key signed it', async () => {
    const pairs = [
      await generateKeyPair('ES256'),
      await generateKeyPair('ES256'),
      await generateKeyPair('RS256'),
    ];
    const keys = await Promise.all(
      pairs.map(({ publicKey }, i) => exportJWK(publicKey).then((jwk) => ({ ...jwk, kid: `${i}` }))),
    );
    const clientOf = await serverWith(keys);

    for (const [i, { privateKey }] of pairs.entries())
      await clientOf(await sign(i === 2 ? 'RS256' : 'ES256', privateKey)).ok('listTasks');

    const other = await generateKeyPair('ES256');
    await clientOf(await sign('ES256', other.privateKey)).fails('listTasks', 401);
  });
});

describe('several public keys of one kind', () => {
  spec('listTasks', 200, 'verify a token by whichever key signed it, whatever its kid', async () => {
    const pairs = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
    const pem = (await Promise.all(pairs.map(({ publicKey }) => exportSPKI(publicKey)))).join('\n');
    const server = await startTestServer({ env: { JWT_SECRET: '', JWT_PUBLIC_KEY: pem } });

    for (const { privateKey } of pairs)
      for (const header of [{}, { kid: 'any' }])
        await new Client(server, await sign('ES256', privateKey, header)).ok('listTasks');
  });
});

describe('an RSA key of 1024 bits', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });

  spec('listTasks', 401, 'in a key set makes its tokens invalid, and the log says why', async () => {
    const [lines, good]: [string[], Awaited<ReturnType<typeof generateKeyPair>>] = [
      [],
      await generateKeyPair('RS256'),
    ];
    const keys = [
      { ...short.publicKey.export({ format: 'jwk' }), kid: 'short' },
      { ...(await exportJWK(good.publicKey)), kid: 'good' },
    ];
    const clientOf = await serverWith(keys, lines);
    // The token is signed by hand, because jose refuses to sign with such a key.
    const content = [{ alg: 'RS256', kid: 'short' }, { sub: 'alice' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createSign('RSA-SHA256').update(content).sign(short.privateKey, 'base64url');

    await clientOf(`${content}.${signature}`).fails('listTasks', 401);
    await clientOf(await sign('RS256', good.privateKey)).ok('listTasks');

    expect(lines.join('')).toMatch(/"refusal":{"reason":"[^"]*2048 bits/);
  });

  it('in JWT_PUBLIC_KEY stops the start with a sentence', async () => {
    const pem = String(short.publicKey.export({ type: 'spki', format: 'pem' }));

    await expect(startTestServer({ env: { JWT_SECRET: '', JWT_PUBLIC_KEY: pem } })).rejects.toThrow(
      'An RSA key in JWT_PUBLIC_KEY must have at least 2048 bits (RFC 7518).',
    );
  });
});
