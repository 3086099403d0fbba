import type { Context, Middleware } from 'koa';
import { Problem } from '../contract/problem.ts';

/** Responses by path, for paths that are not in the contract. */
export type Pages = Readonly<Record<string, (ctx: Context) => Promise<void>>>;

export function servePages(pages: Pages): Middleware {
  const byPath = new Map(Object.entries(pages));
  return (ctx, next) => byPath.get(ctx.path)?.(ctx) ?? next();
}

/** Answers a path that has only GET and HEAD. */
export async function answerGetOnly(ctx: Context, deliver: () => Promise<void>): Promise<void> {
  ctx.set('Allow', 'GET, HEAD, OPTIONS');
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else if (ctx.method === 'GET' || ctx.method === 'HEAD') await deliver();
  else throw new Problem('Method not allowed');
}
