import { hash } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import type { TokenConfig } from '../config/config.ts';
import { fieldErrors, Problem } from '../contract/problem.ts';
import type { Caller } from '../contract/operation.ts';
import { isStorable, isVisible } from '../lib/text.ts';
import { verifiedTokenMaxAgeMs, KeySetUnavailable, type VerifyingKeys } from './issuer-keys.ts';

/** Resolves to the caller of a token. Rejects with `Unauthorized` if the token is not valid (RFC 7519). */
export type VerifyToken = (token: string) => Promise<Caller>;

const clockToleranceS = 5;

export function createVerifier({ keys, algorithms }: VerifyingKeys, config: TokenConfig): VerifyToken {
  const options: JWTVerifyOptions = { clockTolerance: clockToleranceS, algorithms: [...algorithms] };
  if (config.issuer !== undefined) options.issuer = config.issuer;
  if (config.audience !== undefined) options.audience = [...config.audience];
  const verified = new LRUCache<string, Caller>({ max: 10_000, ttlResolution: 100 });

  return async (token) => {
    const remembered = verified.get(digestOf(token));
    if (remembered !== undefined) return remembered;

    const payload = await claimsOf(token, keys, options).catch(throwRefusal);
    const caller = callerFromClaims(payload);
    const validForMs = (caller.tokenRefusedAtMs ?? Infinity) - Date.now();
    if (validForMs > 0)
      verified.set(digestOf(token), caller, { ttl: Math.min(validForMs, verifiedTokenMaxAgeMs) });
    return caller;
  };
}

/** The cache has hashes of tokens, so that a heap dump contains no credentials. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/** The claims of a token, if one of the keys verifies it. */
async function claimsOf(
  token: string,
  keys: VerifyingKeys['keys'] | errors.JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let refused: unknown;
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, typeof key === 'function' ? key : () => key, options)).payload;
    } catch (cause) {
      // A token without `kid` names no key, so each key that may have signed it is tried.
      if (cause instanceof errors.JWKSMultipleMatchingKeys) return claimsOf(token, cause, options);
      if (!isOfOtherKey(cause)) throw cause;
      refused = cause;
    }
  }
  throw refused;
}

/**
 * Returns true if the token may have been signed with another key. Errors that do not come from jose are about a key,
 * for example a key that is too short.
 */
function isOfOtherKey(cause: unknown): boolean {
  return (
    cause instanceof errors.JWSSignatureVerificationFailed ||
    cause instanceof errors.JOSEAlgNotAllowed ||
    !(cause instanceof errors.JOSEError || cause instanceof KeySetUnavailable)
  );
}

/** Throws the problem of a token that no key has verified. */
function throwRefusal(cause: unknown): never {
  // A failed fetch of the issuer's keys is temporary, and not an error of the token.
  if (cause instanceof KeySetUnavailable) throw new Problem('Overloaded', noKeys, { retryAfterS: 5, cause });
  if (cause instanceof errors.JWTExpired) throw refusal('expired', 'The token has expired.', cause);
  throw refusal('invalid', 'The token is not valid for this server.', cause);
}

const noKeys =
  'The keys that tokens are verified with cannot be fetched. Nothing was done. Try again after the time in Retry-After.';

/** A 401 for a token that was sent. The error's code shows programs whether a new token would help. */
function refusal(code: 'expired' | 'invalid', sentence: string, cause: unknown): Problem {
  const detail = code === 'expired' ? 'has a token that has expired' : 'has a token that is not valid';
  const errors = fieldErrors([{ pointer: '/header/authorization', code, detail }]);
  return new Problem('Unauthorized', `${sentence} Send a new one.`, { errors, cause });
}

/** A token for a user, signed with the shared secret. `ttl` is a number of seconds, or a duration such as 30d. */
export async function issueToken(
  secret: Uint8Array,
  config: TokenConfig,
  request: { readonly user: string; readonly name?: string | undefined; readonly ttl: string },
): Promise<string> {
  const token = new SignJWT(request.name === undefined ? {} : { name: request.name })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(request.user)
    .setIssuedAt()
    .setExpirationTime(/^\d+$/.test(request.ttl) ? `${request.ttl}s` : request.ttl);
  if (config.issuer !== undefined) token.setIssuer(config.issuer);
  if (config.audience !== undefined) token.setAudience([...config.audience]);
  return token.sign(secret);
}

function callerFromClaims(claims: JWTPayload): Caller {
  const id = textFromClaim(claims.sub);
  if (id === undefined) {
    throw refusal(
      'invalid',
      'The token names no user. Its "sub" must be text of 1 to 255 characters.',
      new errors.JWTClaimValidationFailed('"sub" is not a user id', claims, 'sub', 'invalid'),
    );
  }
  const name = textFromClaim(claims['name']) ?? textFromClaim(claims['preferred_username']);
  const caller = { id, name: name ?? textFromClaim(claims['email']) ?? id };
  if (claims.exp === undefined) return caller;
  // jose compares whole seconds, although the expiry may have a fraction (RFC 7519, section 2).
  const tokenRefusedAtMs = Math.ceil(claims.exp + clockToleranceS) * 1000;
  return { ...caller, tokenExpiresAtMs: claims.exp * 1000, tokenRefusedAtMs };
}

/** A claim that fits into a column: 1 to 255 characters that can be stored, at least one of them visible. */
export function textFromClaim(claim: unknown): string | undefined {
  const fits =
    typeof claim === 'string' && isStorable(claim) && isVisible(claim) && /^.{1,255}$/su.test(claim);
  return fits ? claim : undefined;
}
