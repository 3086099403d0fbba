import { createPublicKey, type KeyObject } from 'node:crypto';
import type { TokenConfig } from '../config/config.ts';
import { StartupError } from '../startup-error.ts';
import { keySetAt, keySetOfIssuer, type VerifyingKey } from './key-set.ts';
import { findLocalKey, readLocalKey } from './local-key.ts';

/**
 * The configured keys, or the random key in the data folder if none is configured. Any of the keys makes a token valid.
 * `onFetched` is called after each fetch of an issuer's keys, with the error of a failed fetch.
 */
export async function verifyingKeys(
  config: TokenConfig,
  dataDir: string,
  onFetched: (failure: unknown) => void = () => undefined,
): Promise<VerifyingKey[]> {
  const fetchOptions = { staleMs: config.keysStaleMs, onFetched };
  if (config.jwksUrl !== undefined) return [keySetAt(config.jwksUrl, fetchOptions)];
  if (config.publicKeys !== undefined) return publicKeys(config.publicKeys);
  if (config.secret === undefined && config.issuer !== undefined)
    return [keySetOfIssuer(config.issuer, fetchOptions)];
  const secrets = [config.secret, config.previousSecret].flatMap((secret) => bytesOf(secret) ?? []);
  const keys = secrets.length === 0 ? [await readLocalKey(dataDir)] : secrets;
  return keys.map((key) => ({ key, algorithms: ['HS256'] }));
}

/** The shared secret that signs tokens; undefined if the server can only verify tokens. Never creates a secret. */
export async function signingKey(config: TokenConfig, dataDir: string): Promise<Uint8Array | undefined> {
  const { secret, publicKeys: pem, jwksUrl, issuer } = config;
  if (secret !== undefined) return bytesOf(secret);
  const isVerifierOnly = [pem, jwksUrl, issuer].some((setting) => setting !== undefined);
  return isVerifierOnly ? undefined : findLocalKey(dataDir);
}

function bytesOf(secret: string | undefined): Uint8Array | undefined {
  return secret === undefined ? undefined : new TextEncoder().encode(secret);
}

const pemBlocks = /-----BEGIN [^-]*-----[^-]*-----END [^-]*-----/g;

/** The keys in a text with one or more PEM blocks. */
function publicKeys(pem: string): VerifyingKey[] {
  return (pem.match(pemBlocks) ?? [pem]).map(publicKey);
}

function publicKey(pem: string): VerifyingKey {
  const key = parsePem(pem);
  switch (key.asymmetricKeyType) {
    case 'rsa':
      if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048)
        throw new StartupError('An RSA key in JWT_PUBLIC_KEY must have at least 2048 bits (RFC 7518).');
      return { key, algorithms: ['RS256'] };
    case 'ec':
      if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') break;
      return { key, algorithms: ['ES256'] };
    case 'ed25519':
      return { key, algorithms: ['EdDSA', 'Ed25519'] };
  }
  throw new StartupError('JWT_PUBLIC_KEY must be an RSA, P-256 or Ed25519 key.');
}

function parsePem(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new StartupError('JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).', { cause });
  }
}
