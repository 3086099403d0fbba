import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyingKeys } from '../../../server/src/auth/keys.ts';
import { createVerifier, type VerifyToken } from '../../../server/src/auth/tokens.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { listen } from '../../support/listen.ts';

interface SigningKey {
  readonly jwk: JWK;
  /** A token that was not returned before. */
  readonly token: () => Promise<string>;
}

let tokens = 0;

async function createKey(kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const header = { alg: 'ES256', kid };
  return {
    jwk: { ...(await exportJWK(publicKey)), kid },
    token: () =>
      new SignJWT({ sub: 'alice', jti: String(++tokens) }).setProtectedHeader(header).sign(privateKey),
  };
}

interface Failure {
  readonly status: number;
  readonly body: string;
}

interface Issuer {
  readonly verify: VerifyToken;
  readonly publish: (...keys: readonly SigningKey[]) => void;
  /** Makes the issuer answer with another status or body, or with its keys again. */
  readonly setFailure: (failure: Failure | undefined) => void;
  readonly fetches: () => number;
}

/** An issuer that publishes a key set, and a verifier that has not fetched it yet. */
async function startIssuer(): Promise<Issuer> {
  let keys: readonly JWK[] = [];
  let fetches = 0;
  let failure: Failure | undefined;
  const server = createServer((_request, response) => {
    fetches += 1;
    const { status, body } = failure ?? { status: 200, body: JSON.stringify({ keys }) };
    response.writeHead(status).end(body);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const config = readConfig({ JWKS_URL: `http://127.0.0.1:${port}/keys` });
  return {
    verify: createVerifier(await verifyingKeys(config.tokens, ''), config.tokens),
    publish: (...published) => (keys = published.map(({ jwk }) => jwk)),
    setFailure: (next) => (failure = next),
    fetches: () => fetches,
  };
}

function advance(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

const alice = { id: 'alice', name: 'alice' };
const unauthorized = { code: 'Unauthorized' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  // The cache of verified tokens has a reference to the object `performance`, which fake timers would replace.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  onTestFinished(() => {
    clock.mockRestore();
    vi.useRealTimers();
  });
});

describe('a key that its issuer has withdrawn', () => {
  it('verifies no token after 5 minutes, not even a token that it has verified before', async () => {
    const { verify, publish } = await startIssuer();
    const [withdrawn, successor] = [await createKey('withdrawn'), await createKey('successor')];
    const used = await Promise.all(Array.from({ length: 60 }, withdrawn.token));
    publish(withdrawn);
    await verify(await withdrawn.token());
    publish(successor);

    for (const token of used) {
      await verify(token).catch(() => undefined);
      advance(5);
    }

    for (const token of used) await expect(verify(token)).rejects.toMatchObject(unauthorized);
    await expect(verify(await withdrawn.token())).rejects.toMatchObject(unauthorized);
  });
});

describe('a key that its issuer has added', () => {
  it('verifies its first token', async () => {
    const { verify, publish } = await startIssuer();
    const [key, added] = [await createKey('key'), await createKey('added')];
    publish(key);
    await verify(await key.token());
    advance(1);
    publish(key, added);

    await expect(verify(await added.token())).resolves.toEqual(alice);
  });

  it('verifies tokens a second after a token of an unknown key was rejected', async () => {
    const { verify, publish } = await startIssuer();
    const [key, added, unknown] = [
      await createKey('key'),
      await createKey('added'),
      await createKey('unknown'),
    ];
    publish(key);
    await verify(await key.token());
    advance(60);
    await expect(verify(await unknown.token())).rejects.toMatchObject(unauthorized);
    publish(key, added);
    advance(1);

    await expect(verify(await added.token())).resolves.toEqual(alice);
  });
});

describe('tokens of unknown keys', () => {
  it('make the server fetch the key set at most once a second', async () => {
    const { verify, publish, fetches } = await startIssuer();
    const [key, unknown] = [await createKey('key'), await createKey('unknown')];
    publish(key);
    await verify(await key.token());
    advance(1);

    for (let i = 0; i < 20; i++)
      await expect(verify(await unknown.token())).rejects.toMatchObject(unauthorized);

    expect(fetches()).toBe(2);
  });
});

const down = { status: 500, body: '' };

describe('while the keys of an issuer cannot be fetched, the last ones', () => {
  it.each([
    ['500', down],
    ['HTML', { status: 200, body: '<html>' }],
    ['keys that are no list', { status: 200, body: '{"keys":1}' }],
    ['101 keys', { status: 200, body: JSON.stringify({ keys: Array(101).fill({ kty: 'EC' }) }) }],
    ['more than a mebibyte', { status: 200, body: `{"keys":[],"x":"${'x'.repeat(2 ** 20)}"}` }],
  ])('verify tokens although the issuer answers with %s', async (_name, failure) => {
    const { verify, publish, setFailure } = await startIssuer();
    const key = await createKey('key');
    publish(key);
    await verify(await key.token());
    setFailure(failure);
    advance(60);

    await expect(verify(await key.token())).resolves.toEqual(alice);
  });

  it('verify tokens for an hour', async () => {
    const { verify, publish, setFailure } = await startIssuer();
    const key = await createKey('key');
    publish(key);
    await verify(await key.token());
    setFailure(down);

    for (let minute = 0; minute < 60; minute += 1) {
      advance(60);
      await expect(verify(await key.token())).resolves.toEqual(alice);
    }
    advance(60);
    await expect(verify(await key.token())).rejects.toMatchObject({ code: 'Overloaded' });
    advance(1);
    setFailure(undefined);
    await expect(verify(await key.token())).resolves.toEqual(alice);
  });

  it('refuse no token of a key that the issuer may have added', async () => {
    const { verify, publish, setFailure } = await startIssuer();
    const [key, added] = [await createKey('key'), await createKey('added')];
    publish(key);
    await verify(await key.token());
    setFailure(down);
    advance(60);

    await expect(verify(await added.token())).rejects.toMatchObject({ code: 'Overloaded' });
  });
});
