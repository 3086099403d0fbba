import type { Context } from 'koa';
import type { VerifyToken } from '../../auth/tokens.ts';
import { Problem } from '../../errors.ts';
import type { Principal } from '../../operation.ts';

/** The security handler that the contract calls `bearer`: who the Authorization header speaks for (RFC 6750). */
export async function authenticate(ctx: Context, verify: VerifyToken): Promise<Principal> {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(ctx.get('Authorization')) ?? [];
  if (token === undefined) throw new Problem('Unauthorized');
  return verify(token);
}
