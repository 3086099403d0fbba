import type { TokenConfig } from '../config/config.ts';
import { keysAt, keysOfIssuer, type VerifyingKeys } from './issuer-keys.ts';
import { readLocalKey } from './local-key.ts';

/**
 * The configured keys, or the random key in the data folder if none is configured. `onFetched` is called after each
 * fetch of an issuer's keys, with the error of a failed fetch.
 */
export async function verifyingKeys(
  { secret, previousSecret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
  onFetched: (failure: unknown) => void = () => undefined,
): Promise<VerifyingKeys> {
  if (jwksUrl !== undefined) return keysAt(jwksUrl, onFetched);
  if (secret === undefined && issuer !== undefined) return keysOfIssuer(issuer, onFetched);
  const secrets = [secret, previousSecret].filter((each) => each !== undefined).map(bytesOf);
  return { keys: secrets.length === 0 ? [await readLocalKey(dataDir)] : secrets, algorithms: ['HS256'] };
}

/**
 * The shared secret that signs tokens; undefined if the server can only verify tokens. Never creates a secret, because
 * no server would accept its tokens.
 */
export async function signingKey(
  { secret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (secret !== undefined) return bytesOf(secret);
  return jwksUrl === undefined && issuer === undefined ? readLocalKey(dataDir, false) : undefined;
}

function bytesOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
