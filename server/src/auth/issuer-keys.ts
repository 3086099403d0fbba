import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { fetchOrFail, limitBody } from '../lib/fetch.ts';
import { shareFor } from '../lib/share-for.ts';
import { StartupError } from '../lib/startup-error.ts';

// When an issuer withdraws a key, the server accepts it for at most 5 minutes, the sum of three times: the timeout of a
// fetch, the time that the keys are used without another fetch, and the time that a verified token is cached.
const keysMaxAgeMs = 55_000;
const fetchTimeoutMs = 5_000;
export const verifiedTokenMaxAgeMs = 4 * 60_000;

// How much longer keys are used while they cannot be fetched again.
const staleMs = 3_600_000;

// Anyone can make the server fetch the keys, with a token that names an unknown key. So for this long after each fetch,
// successful or not, requests get its result, and nothing is fetched.
const cooldownMs = 1_000;

// A key set is read often, and a token without a key id is verified with each key.
const bytesMax = 2 ** 20;
const keysMax = 100;

/** Keys that verify tokens, and the algorithms allowed for them. One key that verifies a token is enough. */
export interface VerifyingKeys {
  readonly keys: readonly (Uint8Array | JWTVerifyGetKey)[];
  readonly algorithms: readonly string[];
  /** Set if the keys are fetched from an issuer. */
  readonly remote?: RemoteKeys;
}

export interface RemoteKeys {
  /** The name in messages, for example `The keys at JWKS_URL`. */
  readonly name: string;
  /** Fetches the keys if they are old. Waits, and rejects if this fails, unless the last keys may still be used. */
  readonly check: () => Promise<void>;
  /** The time since the last successful fetch; infinite before the first. */
  readonly ageMs: () => number;
}

/** The keys of an issuer cannot be fetched at the moment. This says nothing about a token. */
export class KeySetUnavailable extends Error {
  override name = 'KeySetUnavailable';
}

type OnFetched = (failure: unknown) => void;

/**
 * The keys at an `http:`, `https:` or `file:` address. `onFetched` is called after each fetch, with the error of a
 * failed one. A file is read once.
 */
export async function keysAt(url: string, onFetched: OnFetched): Promise<VerifyingKeys> {
  if (!url.toLowerCase().startsWith('file:'))
    return remoteKeys('The keys at JWKS_URL', () => fetchJson(url), onFetched);
  try {
    return { keys: [keySetFrom(JSON.parse(await readFile(new URL(url), 'utf8')))], algorithms };
  } catch (cause) {
    throw new StartupError('The file at JWKS_URL must be a JWK Set (RFC 7517).', { cause });
  }
}

/** The keys of an issuer, at the address in its metadata (OpenID Connect Discovery 1.0). */
export function keysOfIssuer(issuer: string, onFetched: OnFetched): VerifyingKeys {
  return remoteKeys('The keys of JWT_ISSUER', () => fetchDiscovered(issuer), onFetched);
}

const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

function remoteKeys(name: string, fetchKeySet: () => Promise<unknown>, onFetched: OnFetched): VerifyingKeys {
  let last: { readonly find: JWTVerifyGetKey; readonly fetchedMs: number } | undefined;
  let failure: KeySetUnavailable | undefined;
  const ageMs = (): number => Date.now() - (last?.fetchedMs ?? -Infinity);
  const isExpired = (): boolean => ageMs() >= keysMaxAgeMs + staleMs;
  const fetchKeys = shareFor(cooldownMs, async () => {
    try {
      last = { find: keySetFrom(await fetchKeySet()), fetchedMs: Date.now() };
      failure = undefined;
      return last.find;
    } catch (cause) {
      failure = new KeySetUnavailable('the keys of the issuer cannot be fetched', { cause });
      throw failure;
    } finally {
      onFetched(failure);
    }
  });
  // The keys, fetched again if they are old. Old keys are used for an hour if the fetch fails. While the issuer is down,
  // requests do not wait for further fetches.
  const current = async (): Promise<JWTVerifyGetKey> => {
    if (last !== undefined && ageMs() < keysMaxAgeMs) return last.find;
    const fetched = fetchKeys();
    if (last === undefined || isExpired()) return fetched;
    const { find } = last;
    const fetchedOrLast = fetched.catch(() => find);
    return failure === undefined ? fetchedOrLast : find;
  };
  const key: JWTVerifyGetKey = async (header, token) => {
    const find = await current();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      // The issuer may have added a key since the last fetch.
      return (await fetchKeys())(header, token);
    }
  };
  const check = async (): Promise<void> => {
    const keys = current();
    if (isExpired()) await keys;
  };
  return { keys: [key], algorithms, remote: { name, check, ageMs } };
}

/** Throws if the value is not a key set of at most 100 keys. */
function keySetFrom(value: unknown): JWTVerifyGetKey {
  // The cast is safe, because `createLocalJWKSet` throws if the form is wrong.
  const keySet = value as JSONWebKeySet;
  const findKey = createLocalJWKSet(keySet);
  if (keySet.keys.length <= keysMax) return findKey;
  throw new Error(`The key set has ${keySet.keys.length} keys, more than ${keysMax}.`);
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetchOrFail(address, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(fetchTimeoutMs),
  });
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}, not 200.`);
  return limitBody(response, bytesMax, () => new Error(`${address} has more than ${bytesMax} bytes.`)).json();
}

/** The keys at the address in an issuer's metadata. Reads the metadata too for each fetch, because keys may move. */
async function fetchDiscovered(issuer: string): Promise<unknown> {
  const metadata = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { issuer: named, jwks_uri: url } = Object(metadata) as { issuer?: unknown; jwks_uri?: unknown };
  // Metadata of another issuer must not be used (OpenID Connect Discovery 1.0, section 4.3).
  if (named !== issuer)
    throw new Error(`The metadata of JWT_ISSUER name the issuer ${JSON.stringify(named)} instead.`);
  // Keys that are fetched without TLS could be forged, so only an issuer without TLS may have such keys.
  const protocols = issuer.startsWith('https:') ? /^https:/ : /^https?:/;
  if (typeof url === 'string' && URL.canParse(url) && protocols.test(url)) return fetchJson(url);
  throw new Error('The metadata of JWT_ISSUER have no usable jwks_uri.');
}
