import type { Context } from 'koa';
import { Problem } from '../contract/problem.ts';

/** Answers a path that is not in the contract and has only GET and HEAD. */
export async function answerGetOnly(ctx: Context, deliver: () => Promise<void>): Promise<void> {
  ctx.set('Allow', 'GET, HEAD, OPTIONS');
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else if (ctx.method === 'GET' || ctx.method === 'HEAD') await deliver();
  else throw new Problem('Method not allowed');
}
