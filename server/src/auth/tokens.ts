import { hash } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import type { TokenConfig } from '../config.ts';
import { Problem } from '../errors.ts';
import type { Principal } from '../operations.ts';
import type { VerifyingKey } from './keys.ts';

/** Who the token speaks for. Rejects with `Unauthorized` when it is not valid (RFC 7519). */
export type VerifyToken = (token: string) => Promise<Principal>;

const skewS = 5;
// A key that was withdrawn at the issuer must stop working soon, so a verified token is not trusted for longer.
const trustedMs = 5 * 60_000;

export function createVerifier({ key, algorithms }: VerifyingKey, config: TokenConfig): VerifyToken {
  const options: JWTVerifyOptions = { algorithms: [...algorithms], clockTolerance: skewS };
  if (config.issuer !== undefined) options.issuer = config.issuer;
  if (config.audience !== undefined) options.audience = config.audience;
  const verified = new LRUCache<string, Principal>({ max: 10_000, ttl: trustedMs });

  return async (token) => {
    // The token itself is not kept: a heap dump must not hold credentials.
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    if (known !== undefined) return known;

    const payload = await claimsOf(token, key, options);
    const principal = principalFromClaims(payload);
    const leftMs = payload.exp === undefined ? trustedMs : (payload.exp + skewS) * 1000 - Date.now();
    if (leftMs > 0) verified.set(digest, principal, { ttl: Math.min(leftMs, trustedMs) });
    return principal;
  };
}

async function claimsOf(
  token: string,
  key: VerifyingKey['key'],
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    const { payload } =
      typeof key === 'function' ? await jwtVerify(token, key, options) : await jwtVerify(token, key, options);
    return payload;
  } catch (cause) {
    if (isKeySetFailure(cause)) throw cause;
    throw new Problem('Unauthorized', undefined, { cause });
  }
}

/** Whether the issuer's keys could not be had; that is no fault of the token. */
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
