import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyingKeys } from '../../../server/src/auth/keys.ts';
import { createVerifier, type VerifyToken } from '../../../server/src/auth/tokens.ts';
import { readConfig } from '../../../server/src/config.ts';
import { listen } from '../../support/listen.ts';

let issuer: string;
let server: Server;
let token: string;
let verify: VerifyToken;
/** What the issuer answers by path, with a status other than 200 where there is one. */
let documents: Record<string, { readonly status?: number; readonly body: unknown }>;

const metadataPath = '/.well-known/openid-configuration';

beforeEach(async () => {
  documents = {};
  server = createServer(({ url = '' }, response) => {
    const { status = 200, body } = documents[url] ?? { status: 404, body: {} };
    response.writeHead(status, { Location: '/elsewhere' }).end(JSON.stringify(body));
  });
  issuer = `http://127.0.0.1:${await listen(server)}`;
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  documents['/keys'] = { body: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] } };
  token = await new SignJWT({ sub: 'alice', iss: issuer })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(privateKey);
  const { tokens } = readConfig({ JWT_ISSUER: issuer });
  verify = createVerifier(await verifyingKeys(tokens, ''), tokens);
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe('the keys of JWT_ISSUER', () => {
  it('are those at the jwks_uri of its metadata', async () => {
    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys` } };

    await expect(verify(token)).resolves.toEqual({ id: 'alice', name: 'alice' });
  });

  it.each([
    ['are of another issuer', { issuer: 'https://other' }],
    ['name no issuer', { issuer: undefined }],
    ['name no keys', { jwks_uri: undefined }],
    ['name keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('are not used while its metadata %s', async (_what, difference) => {
    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys`, ...difference } };

    await expect(verify(token)).rejects.toMatchObject({ code: 'Overloaded' });

    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys` } };
    await expect(verify(token)).resolves.toMatchObject({ id: 'alice' });
  });

  it('are not used while its metadata are null', async () => {
    documents[metadataPath] = { body: null };

    await expect(verify(token)).rejects.toMatchObject({ code: 'Overloaded' });
  });

  it.each([302, 404, 500])('are not used while its metadata are answered %i', async (status) => {
    documents[metadataPath] = { status, body: { issuer, jwks_uri: `${issuer}/keys` } };
    documents['/elsewhere'] = { body: { issuer, jwks_uri: `${issuer}/keys` } };

    await expect(verify(token)).rejects.toMatchObject({ code: 'Overloaded' });
  });
});
