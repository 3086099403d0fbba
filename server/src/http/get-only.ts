import type { Context } from 'koa';
import { Problem } from '../errors.ts';

/** Answers a path outside the contract that only has GET and HEAD, by `deliver`. */
export async function answerGetOnly(ctx: Context, deliver: () => Promise<void>): Promise<void> {
  ctx.set('Allow', 'GET, HEAD, OPTIONS');
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else if (ctx.method === 'GET' || ctx.method === 'HEAD') await deliver();
  else throw new Problem('Method not allowed');
}
