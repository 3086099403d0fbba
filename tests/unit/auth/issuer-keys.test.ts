import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyingKeys } from '../../../server/src/auth/keys.ts';
import { createVerifier, type VerifyToken } from '../../../server/src/auth/tokens.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { newKey, startIssuer, type Issuer, type Key } from '../../support/issuer.ts';

let tokens = 0;

/** Signs a token that was not signed before. */
function tokenOf(key: Key): Promise<string> {
  return key.sign({ jti: String(++tokens) });
}

/** An issuer that publishes these keys, and a verifier that has not fetched them yet. */
async function startVerifier(...keys: readonly Key[]): Promise<{ issuer: Issuer; verify: VerifyToken }> {
  const issuer = await startIssuer(...keys.map(({ jwk }) => jwk));
  const config = readConfig(issuer.env);
  return { issuer, verify: createVerifier(await verifyingKeys(config.tokens, ''), config.tokens) };
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

it('a key that its issuer has withdrawn verifies no token after 5 minutes, not even a token that it has verified before', async () => {
  const [withdrawn, successor] = [await newKey('ES256', 'withdrawn'), await newKey('ES256', 'successor')];
  const { issuer, verify } = await startVerifier(withdrawn);
  const used = await Promise.all(Array.from({ length: 60 }, () => tokenOf(withdrawn)));
  await verify(await tokenOf(withdrawn));
  issuer.keys.splice(0, 1, successor.jwk);

  for (const token of used) {
    await verify(token).catch(() => undefined);
    advance(5);
  }

  for (const token of used) await expect(verify(token)).rejects.toMatchObject(unauthorized);
  await expect(verify(await tokenOf(withdrawn))).rejects.toMatchObject(unauthorized);
});

it('a key that its issuer has added verifies its first token, and one that was refused before', async () => {
  const [key, added] = [await newKey('ES256', 'key'), await newKey('ES256', 'added')];
  const { issuer, verify } = await startVerifier(key);
  const [first, refused] = [await tokenOf(added), await tokenOf(added)];
  await expect(verify(refused)).rejects.toMatchObject(unauthorized);
  advance(1);
  issuer.keys.push(added.jwk);

  for (const token of [first, refused]) await expect(verify(token)).resolves.toEqual(alice);
});

it('tokens of unknown keys make the server fetch the key set at most once a second', async () => {
  const [key, unknown] = [await newKey('ES256', 'key'), await newKey('ES256', 'unknown')];
  const { issuer, verify } = await startVerifier(key);
  await verify(await tokenOf(key));
  advance(1);

  for (let i = 0; i < 20; i++)
    await expect(verify(await tokenOf(unknown))).rejects.toMatchObject(unauthorized);

  expect(issuer.fetches).toBe(2);
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
    const key = await newKey('ES256', 'key');
    const { issuer, verify } = await startVerifier(key);
    await verify(await tokenOf(key));
    issuer.failure = failure;
    advance(60);

    await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
  });

  it('verify tokens for an hour', async () => {
    const key = await newKey('ES256', 'key');
    const { issuer, verify } = await startVerifier(key);
    await verify(await tokenOf(key));
    issuer.failure = down;

    for (let minute = 0; minute < 60; minute += 1) {
      advance(60);
      await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
    }
    advance(60);
    await expect(verify(await tokenOf(key))).rejects.toMatchObject({ code: 'Overloaded' });
    advance(1);
    issuer.failure = undefined;
    await expect(verify(await tokenOf(key))).resolves.toEqual(alice);
  });

  it('refuse no token of a key that the issuer may have added', async () => {
    const [key, added] = [await newKey('ES256', 'key'), await newKey('ES256', 'added')];
    const { issuer, verify } = await startVerifier(key);
    await verify(await tokenOf(key));
    issuer.failure = down;
    advance(60);

    await expect(verify(await tokenOf(added))).rejects.toMatchObject({ code: 'Overloaded' });
  });
});
