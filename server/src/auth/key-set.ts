import type { KeyObject } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  type CryptoKey,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
} from 'jose';

// Anyone can make the server fetch the key set, by a token with an unknown key. So after each fetch, successful or not,
// the next one waits this long.
const cooldownMs = 1_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** The keys of an issuer cannot be fetched at the moment. This says nothing about a token. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

interface FetchOptions {
  /** How long fetched keys stay valid while they cannot be fetched again. */
  readonly staleMs: number;
  /** Called after each fetch, with the error of a failed one. */
  readonly onFetched: (failure: unknown) => void;
}

/** The keys that an issuer publishes at an address. */
export function keySetAt(url: string, options: FetchOptions): VerifyingKey {
  return remoteKeySet('the keys at JWKS_URL', () => Promise.resolve(url), options);
}

/** The keys of an issuer, at the address in its metadata (OpenID Connect Discovery 1.0). */
export function keySetOfIssuer(issuer: string, options: FetchOptions): VerifyingKey {
  return remoteKeySet('the keys of JWT_ISSUER', () => findKeySetUrl(issuer), options);
}

function remoteKeySet(
  name: string,
  findUrl: () => Promise<string>,
  { staleMs, onFetched }: FetchOptions,
): VerifyingKey {
  const { cache, withKeySet, fetchedMs, isDown } = createFetcher(findUrl, onFetched);
  const mayUseLast = (): boolean => Date.now() - fetchedMs() < keySetMaxAgeMs + staleMs;
  const key: JWTVerifyGetKey = async (header, token) => {
    const useLast = (error: unknown): Promise<CryptoKey> => {
      if (!(error instanceof KeySetUnavailable) || !mayUseLast()) throw error;
      return findKey(createLocalJWKSet(cache.jwks)(header, token), error);
    };
    const key = withKeySet((keySet) => keySet(header, token));
    if (!isDown() || !mayUseLast()) return key.catch(useLast);
    // The request does not wait for this attempt, so its failure must be ignored here.
    key.catch(() => undefined);
    return useLast(new KeySetUnavailable(unavailable));
  };
  const check = async (): Promise<void> => {
    const refreshed = withKeySet((keySet) => (keySet.fresh ? Promise.resolve() : keySet.reload()));
    if (mayUseLast()) refreshed.catch(() => undefined);
    else await refreshed;
  };
  return { key, algorithms, remote: { name, check, isDown, ageMs: () => Date.now() - fetchedMs() } };
}

const unavailable = 'the keys of the issuer cannot be fetched';

/** Rejects if no fetched key has the id in the token: the issuer may have added a key since the last fetch. */
function findKey(key: Promise<CryptoKey>, error: KeySetUnavailable): Promise<CryptoKey> {
  return key.catch((cause: unknown) => {
    throw cause instanceof errors.JWKSNoMatchingKey ? error : cause;
  });
}

interface Fetcher {
  /** The last keys and the time of their fetch. jose writes them. */
  readonly cache: JWKSCacheInput;
  /** Calls a function with the key set. Rejects with KeySetUnavailable if the keys cannot be fetched. */
  readonly withKeySet: <Result>(use: (keySet: KeySet) => Promise<Result>) => Promise<Result>;
  readonly fetchedMs: () => number;
  /** Returns true if the last fetch failed. */
  readonly isDown: () => boolean;
}

function createFetcher(findUrl: () => Promise<string>, onFetched: FetchOptions['onFetched']): Fetcher {
  const cache = newCache();
  let loading: Promise<KeySet> | undefined;
  let failedMs = -Infinity;
  const fetchedMs = (): number => ('uat' in cache ? cache.uat : -Infinity);
  const isDown = (): boolean => failedMs > fetchedMs();
  const failure = (cause: unknown): KeySetUnavailable => {
    failedMs = Date.now();
    const error = new KeySetUnavailable(unavailable, { cause });
    onFetched(error);
    return error;
  };
  const load = async (): Promise<KeySet> => {
    try {
      return await loadKeySet(await findUrl(), cache);
    } catch (cause) {
      setTimeout(() => (loading = undefined), cooldownMs).unref();
      throw failure(cause);
    }
  };
  return {
    cache,
    fetchedMs,
    isDown,
    withKeySet: async (use) => {
      const current = (loading ??= load());
      const keySet = await current;
      try {
        const result = await use(keySet);
        if (!isDown()) onFetched(undefined);
        return result;
      } catch (cause) {
        if (!isFetchFailure(cause)) throw cause;
        // The issuer may have moved its keys, so the next attempt reads its metadata again.
        if (!keySet.fresh && loading === current) loading = undefined;
        throw failure(cause);
      }
    },
  };
}

function newCache(): JWKSCacheInput {
  return {};
}

/** Any other error is about the token, or about an unusable key that it names. */
function isFetchFailure(error: unknown): boolean {
  if (error instanceof FetchFailed || error instanceof errors.JWKSInvalid) return true;
  // jose has no error class for a response that is not 200 or not JSON.
  return error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
}

class FetchFailed extends Error {}

async function loadKeySet(url: string, cache: JWKSCacheInput): Promise<KeySet> {
  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetTimeoutMs,
    cacheMaxAge: keySetMaxAgeMs,
    cooldownDuration: cooldownMs,
    [jwksCache]: cache,
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

/** Metadata of another issuer must not be used (OpenID Connect Discovery 1.0, section 4.3). */
function keySetUrlFrom(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = Object(metadata) as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer)
    throw new Error(`The metadata of JWT_ISSUER name the issuer ${JSON.stringify(named)} instead.`);
  const isUsable = typeof url === 'string' && URL.canParse(url) && protocolsFor(issuer).test(url);
  if (!isUsable) throw new Error(`The metadata of JWT_ISSUER have no usable jwks_uri.`);
  return url;
}

/**
 * Keys that are fetched without TLS could be forged. Only an issuer that itself has no TLS, on a development machine,
 * may have them.
 */
function protocolsFor(issuer: string): RegExp {
  return issuer.startsWith('https:') ? /^https:/ : /^https?:/;
}

// When an issuer withdraws a key, the server accepts it for at most 5 minutes, the sum of three times: the timeout of a
// fetch, the time that the key set is cached, and the time that a verified token is cached.
const keySetTimeoutMs = 5_000;
const keySetMaxAgeMs = 55_000;
export const verifiedTokenMaxAgeMs = 4 * 60_000;

/** A key that verifies tokens, and the algorithms that are allowed for its kind. */
export interface VerifyingKey {
  readonly key: Uint8Array | KeyObject | JWTVerifyGetKey;
  readonly algorithms: readonly string[];
  /** Set if the key is fetched from an issuer. */
  readonly remote?: RemoteKeys;
}

export interface RemoteKeys {
  /** The name in messages: `the keys at JWKS_URL`. */
  readonly name: string;
  /** Fetches the keys if they are old. Rejects if this fails and the last keys may no longer be used. */
  readonly check: () => Promise<void>;
  /** Returns true if the last fetch failed. */
  readonly isDown: () => boolean;
  /** The time since the last successful fetch; infinite before the first. */
  readonly ageMs: () => number;
}
