import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { keySetMaxAgeMs, keySetTimeoutMs } from './key-lifetime.ts';
import type { VerifyingKey } from './verifying-key.ts';

// Anyone can send a token signed with an unknown key, which makes the server fetch the key set. The next fetch waits this
// long, and so does the next attempt after a failed one.
const cooldownMs = 1_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** The keys of an issuer cannot be fetched, which is temporary and says nothing about a token. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/** The keys that an issuer publishes at an address. */
export function keySetAt(url: string): VerifyingKey {
  return remoteKeySet('the keys at JWKS_URL', () => Promise.resolve(url));
}

/** The keys of an issuer whose metadata say where they are (OpenID Connect Discovery 1.0). */
export function keySetOfIssuer(issuer: string): VerifyingKey {
  return remoteKeySet('the keys of JWT_ISSUER', () => findKeySetUrl(issuer));
}

function remoteKeySet(name: string, findUrl: () => Promise<string>): VerifyingKey {
  let loading: Promise<KeySet> | undefined;
  let wasLoaded = false;
  const load = async (): Promise<KeySet> => {
    try {
      const keySet = await loadKeySet(await findUrl());
      wasLoaded = true;
      return keySet;
    } catch (cause) {
      setTimeout(() => (loading = undefined), cooldownMs).unref();
      throw new KeySetUnavailable('the keys of the issuer cannot be fetched', { cause });
    }
  };
  const key: JWTVerifyGetKey = async (header, token) => {
    const current = (loading ??= load());
    const keySet = await current;
    try {
      return await keySet(header, token);
    } catch (cause) {
      if (!isFetchFailure(cause)) throw cause;
      // The keys may have moved.
      if (!keySet.fresh && loading === current) loading = undefined;
      throw new KeySetUnavailable('the keys of the issuer cannot be fetched', { cause });
    }
  };
  const check = async (): Promise<void> => {
    if (!wasLoaded) await (loading ??= load());
  };
  return { key, algorithms, remote: { name, check } };
}

/** Any other error concerns the token, or an unusable key that it names. */
function isFetchFailure(error: unknown): boolean {
  if (error instanceof FetchFailed || error instanceof errors.JWKSInvalid) return true;
  // jose has no class for a response that is not JSON, or has another status than 200.
  return error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
}

class FetchFailed extends Error {}

async function loadKeySet(url: string): Promise<KeySet> {
  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetTimeoutMs,
    cacheMaxAge: keySetMaxAgeMs,
    cooldownDuration: cooldownMs,
    [customFetch]: (...request) =>
      fetch(...request).catch((cause: unknown) => {
        throw new FetchFailed(`${url} does not answer`, { cause });
      }),
  });
  await keySet.reload();
  return keySet;
}

async function findKeySetUrl(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(keySetTimeoutMs),
  });
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}, not 200.`);
  const metadata: unknown = await response.json();
  return keySetUrlFrom(metadata, issuer);
}

/** A document of another issuer must not be used (OpenID Connect Discovery 1.0, section 4.3). */
function keySetUrlFrom(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = Object(metadata) as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer)
    throw new Error(`The metadata of JWT_ISSUER name the issuer ${JSON.stringify(named)} instead.`);
  const isUsable = typeof url === 'string' && URL.canParse(url) && protocolsFor(issuer).test(url);
  if (!isUsable) throw new Error(`The metadata of JWT_ISSUER have no usable jwks_uri.`);
  return url;
}

/** Keys fetched without TLS could be anybody's, so only an issuer without TLS, on a development machine, may have them. */
function protocolsFor(issuer: string): RegExp {
  return issuer.startsWith('https:') ? /^https:/ : /^https?:/;
}
