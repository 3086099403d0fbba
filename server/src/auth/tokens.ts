import { hash, type KeyObject } from 'node:crypto';
import {
  errors,
  jwtVerify,
  SignJWT,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { TokenConfig } from '../config.ts';
import { Problem } from '../errors.ts';
import type { Principal } from '../operation.ts';
import { verifiedTokenMaxAgeMs } from './key-lifetime.ts';
import type { VerifyingKey } from './keys.ts';

/** Who the token speaks for. Rejects with `Unauthorized` when it is not valid (RFC 7519). */
export type VerifyToken = (token: string) => Promise<Principal>;

const skewS = 5;

/** What hears why the issuer's keys cannot be had, and, as undefined, that they can. */
type OnKeySet = (failure: Error | undefined) => void;

export function createVerifier(
  { key, algorithms }: VerifyingKey,
  config: TokenConfig,
  onKeySet: OnKeySet = () => undefined,
): VerifyToken {
  const options: JWTVerifyOptions = { algorithms: [...algorithms], clockTolerance: skewS };
  if (config.issuer !== undefined) options.issuer = config.issuer;
  if (config.audience !== undefined) options.audience = config.audience;
  const verified = new LRUCache<string, Principal>({ max: 10_000, ttl: verifiedTokenMaxAgeMs });

  return async (token) => {
    // The token itself is not kept: a heap dump must not hold credentials.
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    if (known !== undefined) return known;

    const payload = await claimsOf(
      token,
      options,
      typeof key === 'function' ? ofKeySet(key, onKeySet) : ofKey(key),
    );
    const principal = principalFromClaims(payload);
    const leftMs = payload.exp === undefined ? Infinity : (payload.exp + skewS) * 1000 - Date.now();
    if (leftMs > 0) verified.set(digest, principal, { ttl: Math.min(leftMs, verifiedTokenMaxAgeMs) });
    return principal;
  };
}

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTVerifyResult>;

async function claimsOf(token: string, options: JWTVerifyOptions, verify: Verify): Promise<JWTPayload> {
  try {
    return (await verify(token, options)).payload;
  } catch (cause) {
    if (cause instanceof Problem || !(cause instanceof errors.JOSEError)) throw cause;
    throw new Problem('Unauthorized', undefined, { cause });
  }
}

function ofKey(key: Uint8Array | KeyObject): Verify {
  return (token, options) => jwtVerify(token, key, options);
}

/** That the issuer's keys cannot be had is no fault of the token, and passes. */
function ofKeySet(keySet: JWTVerifyGetKey, onKeySet: OnKeySet): Verify {
  return async (token, options) => {
    try {
      const result = await jwtVerify(token, keySet, options);
      onKeySet(undefined);
      return result;
    } catch (cause) {
      if (!isKeySetFailure(cause)) throw cause;
      onKeySet(cause instanceof Error ? cause : new Error(String(cause)));
      throw new Problem('Overloaded', noKeys, { retryAfterS: 5, cause });
    }
  };
}

const noKeys =
  'The keys that tokens are verified with cannot be fetched. Nothing was done. Try again after the time in Retry-After.';

function isKeySetFailure(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  );
}

interface TokenRequest {
  readonly user: string;
  readonly name?: string | undefined;
  /** A number of seconds, or a span such as 30d. */
  readonly ttl: string;
}

/** A token for a user, signed with the shared secret. */
export async function issueToken(
  secret: Uint8Array,
  config: TokenConfig,
  request: TokenRequest,
): Promise<string> {
  const token = new SignJWT(request.name === undefined ? {} : { name: request.name })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(request.user)
    .setIssuedAt()
    .setExpirationTime(/^\d+$/.test(request.ttl) ? `${request.ttl}s` : request.ttl);
  if (config.issuer !== undefined) token.setIssuer(config.issuer);
  if (config.audience !== undefined) token.setAudience(config.audience);
  return token.sign(secret);
}

function principalFromClaims(claims: JWTPayload): Principal {
  const id = storableText(claims.sub);
  if (id === undefined) {
    throw new Problem(
      'Unauthorized',
      'The token names no user. Its "sub" must be text of 1 to 255 characters.',
      { cause: new errors.JWTClaimValidationFailed('"sub" is no user', claims, 'sub', 'invalid') },
    );
  }
  const name = storableText(claims['name']) ?? storableText(claims['preferred_username']);
  return { id, name: name ?? storableText(claims['email']) ?? id };
}

/** Text that fits the columns it goes into: 1 to 255 characters, not blank, no NUL, no lone surrogate. */
function storableText(claim: unknown): string | undefined {
  const isStorable = typeof claim === 'string' && /^(?=.*\S)[^\0\p{Cs}]{1,255}$/su.test(claim);
  return isStorable ? claim : undefined;
}
