import type { Context } from 'koa';
import type { VerifyToken } from '../../auth/tokens.ts';
import type { ContractOperation } from '../../contract/schema.ts';
import { Problem } from '../../contract/problem.ts';
import type { Caller } from '../../contract/operation.ts';
import { strangers } from '../place.ts';
import type { RequestState } from './request-state.ts';

/** Resolves to the caller of an operation: the user of the bearer token, unless the contract requires none. */
export async function callerOf(
  ctx: Context,
  { security }: Pick<ContractOperation, 'security'>,
  verify: VerifyToken,
): Promise<Caller> {
  return security?.length === 0 ? { id: strangers, name: '' } : authenticate(ctx, verify);
}

/** Resolves to the user of the bearer token (RFC 6750). */
export async function authenticate(ctx: Context, verify: VerifyToken): Promise<Caller> {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === undefined) throw new Problem('Unauthorized');
  const caller = await verify(token);
  (ctx.state as RequestState).caller = caller;
  return caller;
}

/** The token of an Authorization header; undefined for schemes other than Bearer. */
function bearerToken(authorization: string): string | undefined {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? [];
  return token;
}
