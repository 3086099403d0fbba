import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyingKeys } from '../../../server/src/auth/keys.ts';
import type { RemoteKeys } from '../../../server/src/auth/issuer-keys.ts';
import { createVerifier, type VerifyToken } from '../../../server/src/auth/tokens.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { newKey } from '../../support/issuer.ts';
import { listen } from '../../support/listen.ts';

let issuer: string;
let server: Server;
let token: string;
let laterToken: string;
let verify: VerifyToken;
let remote: RemoteKeys | undefined;
let requests: number;
/** The issuer's responses by path. The default status is 200. */
let documents: Record<string, { readonly status?: number; readonly body: unknown }>;

const metadataPath = '/.well-known/openid-configuration';

function advance(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  documents = {};
  requests = 0;
  server = createServer(({ url = '' }, response) => {
    requests += 1;
    const { status = 200, body } = documents[url] ?? { status: 404, body: {} };
    response.writeHead(status, { Location: '/elsewhere' }).end(JSON.stringify(body));
  });
  issuer = `http://127.0.0.1:${await listen(server)}`;
  const key = await newKey('ES256', 'k');
  documents['/keys'] = { body: { keys: [key.jwk] } };
  token = await key.sign({ iss: issuer, jti: 'first' });
  laterToken = await key.sign({ iss: issuer, jti: 'later' });
  const { tokens } = readConfig({ JWT_ISSUER: issuer });
  const keys = await verifyingKeys(tokens, '');
  remote = keys.remote;
  verify = createVerifier(keys, tokens);
});

afterEach(() => {
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

describe('the keys of JWT_ISSUER', () => {
  it.each([
    ['are of another issuer', { issuer: 'https://other' }],
    ['name no issuer', { issuer: undefined }],
    ['name no keys', { jwks_uri: undefined }],
    ['name keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('are not used while its metadata %s', async (_what, difference) => {
    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys`, ...difference } };

    await expect(verify(token)).rejects.toMatchObject({ code: 'Overloaded' });

    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys` } };
    advance(1);
    await expect(verify(token)).resolves.toEqual({ id: 'alice', name: 'alice' });
  });

  it.each([
    [200, 'null'],
    [302, 'its metadata'],
    [404, 'its metadata'],
    [500, 'its metadata'],
  ])('are not used while the issuer answers %i with %s', async (status, content) => {
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    documents[metadataPath] = { status, body: content === 'null' ? null : metadata };
    documents['/elsewhere'] = { body: metadata };

    await expect(verify(token)).rejects.toMatchObject({ code: 'Overloaded' });
  });

  it('are found again after they have moved, because they could not be fetched', async () => {
    documents[metadataPath] = { body: { issuer, jwks_uri: `${issuer}/keys` } };
    await verify(token);
    documents = {
      [metadataPath]: { body: { issuer, jwks_uri: `${issuer}/moved` } },
      '/moved': { body: documents['/keys']?.body },
    };
    advance(60);

    await expect(verify(laterToken)).resolves.toMatchObject({ id: 'alice' });
    await remote?.check();

    await expect.poll(() => remote?.isDown()).toBe(false);
    expect(remote?.ageMs()).toBeLessThan(60_000);
  });

  it.each([
    ['its metadata', 500, 1],
    ['its keys', 200, 2],
  ])('are looked for at most once a second while %s cannot be fetched', async (_what, status, each) => {
    documents = { [metadataPath]: { status, body: { issuer, jwks_uri: `${issuer}/keys` } } };
    const verifyOften = async (): Promise<void> => {
      for (let i = 0; i < 20; i++) await verify(token).catch(() => undefined);
    };

    await verifyOften();
    expect(requests).toBe(each);

    advance(1);
    await verifyOften();
    expect(requests).toBe(2 * each);
  });
});
