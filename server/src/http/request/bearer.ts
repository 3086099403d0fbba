import type { Context } from 'koa';
import type { VerifyToken } from '../../auth/tokens.ts';
import { Problem } from '../../errors.ts';
import type { Principal } from '../../operation.ts';

/** Resolves to the user of the bearer token (RFC 6750). */
export async function authenticate(ctx: Context, verify: VerifyToken): Promise<Principal> {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === undefined) throw new Problem('Unauthorized');
  return verify(token);
}

/** The token of an Authorization header; undefined for schemes other than Bearer. */
export function bearerToken(authorization: string): string | undefined {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? [];
  return token;
}
