import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyingKeys } from '../../../server/src/auth/keys.ts';
import { createVerifier } from '../../../server/src/auth/tokens.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { newKey, type Key } from '../../support/issuer.ts';

const alice = { id: 'alice', name: 'alice' };
const unauthorized = { code: 'Unauthorized' };
const overloaded = { code: 'Overloaded' };
const metadataPath = '/.well-known/openid-configuration';

interface Page {
  readonly status?: number;
  readonly body: unknown;
}

/**
 * Starts an issuer, and a verifier of its tokens that has not fetched its keys yet. `pages` are the issuer's responses by
 * path, by default with the status 200.
 */
async function start(setting: 'JWKS_URL' | 'JWT_ISSUER', ...keys: readonly Key[]) {
  const pages: Record<string, Page> = { '/keys': keySet(...keys) };
  let requests = 0;
  const { url } = await startHttpServer((request, response) => {
    requests += 1;
    const { status = 200, body } = pages[request.url ?? ''] ?? { status: 404, body: {} };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { Location: '/elsewhere' }).end(text);
  });
  const { tokens } = readConfig({ [setting]: setting === 'JWKS_URL' ? `${url}/keys` : url });
  const verifying = await verifyingKeys(tokens, '');
  const verify = createVerifier(verifying, tokens);
  return { url, pages, requests: () => requests, remote: verifying.remote, verify };
}

function keySet(...keys: readonly Key[]): Page {
  return { body: { keys: keys.map(({ jwk }) => jwk) } };
}

let tokens = 0;

/** Signs a token that was not signed before. */
function tokenOf(key: Key, iss?: string): Promise<string> {
  return key.sign({ jti: String(++tokens), ...(iss !== undefined && { iss }) });
}

function advance(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  // The cache of verified tokens has a reference to the object `performance`, which fake timers would replace.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  onTestFinished(() => {
    clock.mockRestore();
    vi.useRealTimers();
  });
});

it('a key that its issuer has withdrawn verifies no token after 5 minutes, not even a token that it has verified before', async () => {
  const [withdrawn, successor] = [await newKey('ES256', 'withdrawn'), await newKey('ES256', 'successor')];
  const { pages, verify } = await start('JWKS_URL', withdrawn);
  const used = await Promise.all(Array.from({ length: 60 }, () => tokenOf(withdrawn)));
  await verify(await tokenOf(withdrawn));
  pages['/keys'] = keySet(successor);

  for (const token of used) {
    await verify(token).catch(() => undefined);
    advance(5);
  }

  for (const token of used) await expect(verify(token)).rejects.toMatchObject(unauthorized);
  await expect(verify(await tokenOf(withdrawn))).rejects.toMatchObject(unauthorized);
});

it('a key that its issuer has added verifies its first token, and one that was refused before', async () => {
  const [key, added] = [await newKey('ES256', 'key'), await newKey('ES256', 'added')];
  const { pages, verify } = await start('JWKS_URL', key);
  const [first, refused] = [await tokenOf(added), await tokenOf(added)];
  await expect(verify(refused)).rejects.toMatchObject(unauthorized);
  advance(1);
  pages['/keys'] = keySet(key, added);

  for (const token of [first, refused]) await expect(verify(token)).resolves.toEqual(alice);
});

it('tokens of unknown keys make the server fetch the key set at most once a second', async () => {
  const [key, unknown] = [await newKey('ES256', 'key'), await newKey('ES256', 'unknown')];
  const { requests, verify } = await start('JWKS_URL', key);
  await verify(await tokenOf(key));
  advance(1);

  for (let i = 0; i < 20; i++)
    await expect(verify(await tokenOf(unknown))).rejects.toMatchObject(unauthorized);

  expect(requests()).toBe(2);
});

const down = { status: 500, body: '' };

describe('while the keys of an issuer cannot be fetched, the last ones', () => {
  it.each([
    ['500', down],
    ['HTML', { body: '<html>' }],
    ['keys that are no list', { body: { keys: 1 } }],
    ['101 keys', { body: { keys: Array(101).fill({ kty: 'EC' }) } }],
    ['more than a mebibyte', { body: { keys: [], x: 'x'.repeat(2 ** 20) } }],
  ])('verify tokens although the issuer answers with %s', async (_name, failure) => {
    const key = await newKey('ES256', 'key');
    const { pages, verify } = await start('JWKS_URL', key);
    await verify(await tokenOf(key));
    pages['/keys'] = failure;
    advance(60);

    await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
  });

  it('verify tokens for an hour, and refuse no token of a key that the issuer may have added', async () => {
    const [key, added] = [await newKey('ES256', 'key'), await newKey('ES256', 'added')];
    const { pages, verify } = await start('JWKS_URL', key);
    await verify(await tokenOf(key));
    pages['/keys'] = down;

    for (let minute = 0; minute < 60; minute += 1) {
      advance(60);
      await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
    }
    await expect(verify(await tokenOf(added))).rejects.toMatchObject(overloaded);
    advance(60);
    await expect(verify(await tokenOf(key))).rejects.toMatchObject(overloaded);
    advance(1);
    pages['/keys'] = keySet(key);
    await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
  });
});

describe('the keys of JWT_ISSUER', async () => {
  const key = await newKey('ES256', 'k');

  it.each<[what: string, page: (metadata: object) => Page]>([
    ['are of another issuer', (metadata) => ({ body: { ...metadata, issuer: 'https://other' } })],
    ['name no issuer', (metadata) => ({ body: { ...metadata, issuer: undefined } })],
    ['name no keys', (metadata) => ({ body: { ...metadata, jwks_uri: undefined } })],
    ['name keys in a file', (metadata) => ({ body: { ...metadata, jwks_uri: 'file:///etc/passwd' } })],
    ['are null', () => ({ body: null })],
    ...[302, 404, 500].map((status): [string, (body: object) => Page] => [
      `have the status ${status}`,
      (body) => ({ status, body }),
    ]),
  ])('are not used while its metadata %s', async (_what, pageOf) => {
    const { url, pages, verify } = await start('JWT_ISSUER', key);
    const metadata = { issuer: url, jwks_uri: `${url}/keys` };
    pages[metadataPath] = pageOf(metadata);
    pages['/elsewhere'] = { body: metadata };

    await expect(verify(await tokenOf(key, url))).rejects.toMatchObject(overloaded);

    pages[metadataPath] = { body: metadata };
    advance(1);
    await expect(verify(await tokenOf(key, url))).resolves.toEqual(alice);
  });

  it('are looked for in the metadata again if they cannot be fetched, because they may have moved', async () => {
    const { url, pages, verify, remote } = await start('JWT_ISSUER', key);
    pages[metadataPath] = { body: { issuer: url, jwks_uri: `${url}/keys` } };
    await verify(await tokenOf(key, url));
    pages[metadataPath] = { body: { issuer: url, jwks_uri: `${url}/moved` } };
    pages['/keys'] = { status: 404, body: {} };
    pages['/moved'] = keySet(key);
    advance(60);

    await expect(verify(await tokenOf(key, url))).resolves.toEqual(alice);
    await remote?.check();

    await expect.poll(() => remote?.ageMs()).toBeLessThan(60_000);
  });

  it.each([
    ['its metadata', 500, 1],
    ['its keys', 200, 2],
  ])('are looked for at most once a second while %s cannot be fetched', async (_what, status, each) => {
    const { url, pages, verify, requests } = await start('JWT_ISSUER');
    pages[metadataPath] = { status, body: { issuer: url, jwks_uri: `${url}/keys` } };
    pages['/keys'] = down;
    const verifyOften = async (): Promise<void> => {
      const token = await tokenOf(key, url);
      for (let i = 0; i < 20; i++) await verify(token).catch(() => undefined);
    };

    await verifyOften();
    expect(requests()).toBe(each);

    advance(1);
    await verifyOften();
    expect(requests()).toBe(2 * each);
  });
});
