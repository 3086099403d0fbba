import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { keySetMaxAgeMs, keySetTimeoutMs } from './key-lifetime.ts';
import type { VerifyingKey } from './keys.ts';

// Anyone can send a token of an unknown key, which makes the server fetch the key set. The next fetch waits this long.
const unknownKeyCooldownMs = 1_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/** The keys that an issuer publishes at an address. */
export function keySetAt(url: string): VerifyingKey {
  const keySet = openKeySet(url);
  return {
    key: keySet,
    algorithms,
    remote: { name: 'the keys at JWKS_URL', check: () => loadKeySet(keySet) },
  };
}

/** The keys of an issuer whose metadata say where they are (OpenID Connect Discovery 1.0). */
export function keySetOfIssuer(issuer: string): VerifyingKey {
  let found: Promise<KeySet> | undefined;
  // A failure is not kept, so the next token or readiness check tries again.
  const find = (): Promise<KeySet> =>
    (found ??= findKeySetUrl(issuer)
      .then(openKeySet)
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      }));
  const key: JWTVerifyGetKey = async (header, token) => (await find())(header, token);
  const check = async (): Promise<void> => loadKeySet(await find());
  return { key, algorithms, remote: { name: 'the keys of JWT_ISSUER', check } };
}

function openKeySet(url: string): KeySet {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: keySetTimeoutMs,
    cacheMaxAge: keySetMaxAgeMs,
    cooldownDuration: unknownKeyCooldownMs,
  });
}

async function loadKeySet(keySet: KeySet): Promise<void> {
  if (keySet.jwks() === undefined) await keySet.reload();
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
