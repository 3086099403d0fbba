import { createSign, generateKeyPairSync } from 'node:crypto';
import { exportSPKI, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { newKey, startIssuer, type Key } from '../../support/issuer.ts';
import { startTestServer, type TestServerOptions } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { tokenFor } from '../../support/tokens.ts';

const algorithms = ['RS256', 'ES256', 'EdDSA'];

/** A server with configured keys, and a function that returns a client for a token. */
async function serverWith(env: Record<string, string>, options: TestServerOptions = {}) {
  const server = await startTestServer({ ...options, env: { JWT_SECRET: '', ...env } });
  return (token: string) => new Client(server, token);
}

function pemOf({ publicKey }: Key): Promise<string> {
  return exportSPKI(publicKey);
}

function signWithSecret(secret: string, claims: object = {}): Promise<string> {
  return new SignJWT({ sub: 'alice', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
}

const longAgo = 1_000_000_000;

describe('several keys in JWT_PUBLIC_KEY', async () => {
  const keys = await Promise.all([...algorithms, 'ES256'].map((alg) => newKey(alg, 'the-key')));
  const pems = await Promise.all(keys.map(pemOf));
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    // In an environment file, a key is on one line.
    const [first = '', ...others] = pems;
    clientOf = await serverWith({
      JWT_PUBLIC_KEY: [first.replaceAll('\n', '\\n'), ...others].join('\n'),
    });
  });

  spec('listTasks', 200, 'verify a token by whichever key signed it, whatever its kid', async () => {
    for (const key of keys)
      for (const header of [{}, { kid: 'any' }]) await clientOf(await key.sign({}, header)).ok('listTasks');
  });

  describe.each(algorithms)('for %s', (alg) => {
    spec('listTasks', 401, 'refuse a token that another key of this algorithm signed', async () => {
      await clientOf(await (await newKey(alg, 'the-key')).sign()).fails('listTasks', 401);
    });
  });

  spec('listTasks', 401, 'refuse a token signed with public keys as a shared secret', async () => {
    for (const pem of [...pems, pems.join('\n')])
      for (const secret of [pem, pem.trim()])
        await clientOf(await signWithSecret(secret)).fails('listTasks', 401);
  });

  it('stop the start if the second one cannot be read', async () => {
    const nonsense = '-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----';
    const JWT_PUBLIC_KEY = `${await pemOf(await newKey('EdDSA'))}\n${nonsense}`;

    await expect(serverWith({ JWT_PUBLIC_KEY })).rejects.toThrow(
      'JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).',
    );
  });
});

describe('an RSA key of 1024 bits', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });

  spec('listTasks', 401, 'in a key set makes its tokens invalid, and the log says why', async () => {
    const log: string[] = [];
    const good = await newKey('RS256', 'good');
    const { env } = await startIssuer(
      { ...short.publicKey.export({ format: 'jwk' }), kid: 'short' },
      good.jwk,
    );
    const clientOf = await serverWith(env, { log });
    // Signed by hand, because jose refuses such a key.
    const content = [{ alg: 'RS256', kid: 'short' }, { sub: 'alice' }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createSign('RSA-SHA256').update(content).sign(short.privateKey, 'base64url');

    await clientOf(`${content}.${signature}`).fails('listTasks', 401);
    await clientOf(await good.sign()).ok('listTasks');

    expect(log.join('')).toMatch(/"refusal":{"reason":"[^"]*2048 bits/);
  });

  it('in JWT_PUBLIC_KEY stops the start with a sentence', async () => {
    const JWT_PUBLIC_KEY = String(short.publicKey.export({ type: 'spki', format: 'pem' }));

    await expect(serverWith({ JWT_PUBLIC_KEY })).rejects.toThrow(
      'An RSA key in JWT_PUBLIC_KEY must have at least 2048 bits (RFC 7518).',
    );
  });
});

describe('JWT_SECRET', () => {
  const [previous, current, unknown] = ['previous.', 'current.', 'unknown.'].map((name) => name.repeat(4));
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    clientOf = await serverWith({ JWT_SECRET: `${current}\\n${previous}` });
  });

  spec('listTasks', 200, 'of two secrets accepts tokens of both', async () => {
    for (const secret of [previous, current])
      await clientOf(await signWithSecret(`${secret}`)).ok('listTasks');

    for (const token of [signWithSecret(`${unknown}`), signWithSecret(`${previous}`, { exp: longAgo })])
      await clientOf(await token).fails('listTasks', 401);
  });

  spec('listTasks', 401, 'refuses a token that it accepted after the token has expired', async () => {
    const exp = Math.floor(Date.now() / 1000) + 1;
    const client = clientOf(await signWithSecret(`${current}`, { exp }));
    await client.ok('listTasks');

    await expect.poll(async () => (await client.send('listTasks')).status).toBe(401);
  });
});

describe('JWT_ISSUER and JWT_AUDIENCE', () => {
  const settings = { JWT_ISSUER: 'https://issuer', JWT_AUDIENCE: 'worktable' };
  const JWT_SECRET = 'the secret of this issuer, 32 bytes or more';
  let clientOf: (token: string) => Client;

  beforeAll(async () => {
    clientOf = await serverWith({ ...settings, JWT_SECRET });
  });

  spec('listTasks', 200, 'accept a token with both claims', async () => {
    const claims = { iss: 'https://issuer', aud: ['other', 'worktable'] };

    await clientOf(await tokenFor('alice', claims, JWT_SECRET)).ok('listTasks');
  });

  describe.each([
    {},
    { iss: 'https://issuer' },
    { aud: 'worktable' },
    { iss: 'https://elsewhere', aud: 'worktable' },
    { iss: 'https://issuer', aud: 'other' },
  ])('in a token with the claims %j', (claims) => {
    spec('listTasks', 401, 'refuse the token', async () => {
      await clientOf(await tokenFor('alice', claims, JWT_SECRET)).fails('listTasks', 401);
    });
  });
});
