import { generateKeyPairSync } from 'node:crypto';
import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey as KeyInput } from 'jose';
import { describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const secrets = ['previous', 'current', 'unknown'].map((name) => name.padEnd(32, '.'));

describe('with two secrets in JWT_SECRET', () => {
  spec('listTasks', 200, 'tokens of the current and the previous secret are valid', async () => {
    const [previous = '', current = '', unknown = ''] = secrets;
    const { url } = await startTestServer({ env: { JWT_SECRET: `${current}\\n${previous}` } });
    const clientOf = async (secret: string, expiresIn = '1h'): Promise<Client> => {
      const token = new SignJWT({ sub: 'alice' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(expiresIn);
      return new Client({ url }, await token.sign(new TextEncoder().encode(secret)));
    };

    for (const secret of [previous, current]) await (await clientOf(secret)).ok('listTasks');

    await (await clientOf(unknown)).fails('listTasks', 401);
    await (await clientOf(previous, '-1h')).fails('listTasks', 401);
  });
});

describe('with several keys in JWT_PUBLIC_KEY', () => {
  spec('listTasks', 200, 'tokens of each are valid, with the algorithm of its kind', async () => {
    const [old, current] = [await generateKeyPair('RS256'), await generateKeyPair('ES256')];
    const keys = [await exportSPKI(old.publicKey), await exportSPKI(current.publicKey)].join('\n');
    const { url } = await startTestServer({ env: { JWT_SECRET: '', JWT_PUBLIC_KEY: keys } });
    const clientOf = async (alg: string, key: KeyInput): Promise<Client> =>
      new Client({ url }, await new SignJWT({ sub: 'alice' }).setProtectedHeader({ alg }).sign(key));

    await (await clientOf('RS256', old.privateKey)).ok('listTasks');
    await (await clientOf('ES256', current.privateKey)).ok('listTasks');

    const other = await generateKeyPair('ES256');
    await (await clientOf('ES256', other.privateKey)).fails('listTasks', 401);
  });

  it('a second key that cannot be read stops the start', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const keys = `${String(publicKey.export({ type: 'spki', format: 'pem' }))}\n-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----`;

    await expect(startTestServer({ env: { JWT_SECRET: '', JWT_PUBLIC_KEY: keys } })).rejects.toThrow(
      'JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).',
    );
  });
});
