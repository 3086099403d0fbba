import type { TokenConfig } from '../config/config.ts';
import { keysAt, keysOfIssuer, type VerifyingKey } from './issuer-keys.ts';
import { findLocalKey, readLocalKey } from './local-key.ts';

/**
 * The configured keys, or the random key in the data folder if none is configured. Any of the keys makes a token valid.
 * `onFetched` is called after each fetch of an issuer's keys, with the error of a failed fetch.
 */
export async function verifyingKeys(
  { secret, previousSecret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
  onFetched: (failure: unknown) => void = () => undefined,
): Promise<VerifyingKey[]> {
  if (jwksUrl !== undefined) return [await keysAt(jwksUrl, onFetched)];
  if (secret === undefined && issuer !== undefined) return [keysOfIssuer(issuer, onFetched)];
  const secrets = [secret, previousSecret].filter((each) => each !== undefined).map(bytesOf);
  const keys = secrets.length === 0 ? [await readLocalKey(dataDir)] : secrets;
  return keys.map((key) => ({ key, algorithms: ['HS256'] }));
}

/** The shared secret that signs tokens; undefined if the server can only verify tokens. Never creates a secret. */
export async function signingKey(
  { secret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (secret !== undefined) return bytesOf(secret);
  return jwksUrl === undefined && issuer === undefined ? findLocalKey(dataDir) : undefined;
}

function bytesOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
