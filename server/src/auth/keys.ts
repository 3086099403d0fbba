import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import type { TokenConfig } from '../config.ts';
import { StartupError } from '../environment.ts';
import { keySetMaxAgeMs, keySetTimeoutMs } from './key-lifetime.ts';
import { findLocalKey, readLocalKey } from './local-key.ts';

// Anyone can send a token of an unknown key, which makes the server fetch the key set. The next fetch waits this long.
const unknownKeyCooldownMs = 1_000;

/** The key that verifies tokens, and the algorithms that are allowed for this kind of key. */
export interface VerifyingKey {
  readonly key: Uint8Array | KeyObject | JWTVerifyGetKey;
  readonly algorithms: readonly string[];
}

/** The configured key, or else the random key in the data folder. */
export async function verifyingKey(config: TokenConfig, dataDir: string): Promise<VerifyingKey> {
  if (config.jwksUrl !== undefined) {
    const key = createRemoteJWKSet(new URL(config.jwksUrl), {
      timeoutDuration: keySetTimeoutMs,
      cacheMaxAge: keySetMaxAgeMs,
      cooldownDuration: unknownKeyCooldownMs,
    });
    return { key, algorithms: ['RS256', 'ES256', 'EdDSA', 'Ed25519'] };
  }
  if (config.publicKey !== undefined) return publicKey(config.publicKey);
  return { key: secretOf(config) ?? (await readLocalKey(dataDir)), algorithms: ['HS256'] };
}

/** The shared secret that signs tokens; undefined if the server can only verify them. Never creates a secret. */
export async function signingKey(config: TokenConfig, dataDir: string): Promise<Uint8Array | undefined> {
  if (config.jwksUrl !== undefined || config.publicKey !== undefined) return undefined;
  return secretOf(config) ?? findLocalKey(dataDir);
}

function secretOf({ secret }: TokenConfig): Uint8Array | undefined {
  return secret === undefined ? undefined : new TextEncoder().encode(secret);
}

function publicKey(pem: string): VerifyingKey {
  const key = parsePem(pem);
  switch (key.asymmetricKeyType) {
    case 'rsa':
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
    const error = new StartupError('JWT_PUBLIC_KEY must be a public key in PEM form (BEGIN PUBLIC KEY).');
    error.cause = cause;
    throw error;
  }
}
