import type { Context, Middleware } from 'koa';
import type { Contract } from '../contract/contract.ts';
import { Problem } from '../contract/problem.ts';
import type { Pipeline } from './pipeline.ts';

/** Answers HTTP requests for the operations of the contract. */
export function serveOperations({ router }: Contract, { respond }: Pick<Pipeline, 'respond'>): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'OPTIONS') return respond(ctx, router.getRoute(ctx.method, ctx.path));
    ctx.set('Allow', router.allowedMethods(ctx.path));
    ctx.status = 204;
  };
}

/** Responses by path, for paths that are not in the contract. */
export type Pages = Readonly<Record<string, (ctx: Context) => Promise<void>>>;

export function servePages(pages: Pages): Middleware {
  const byPath = new Map(Object.entries(pages));
  return (ctx, next) => byPath.get(ctx.path)?.(ctx) ?? next();
}

export const reading = ['GET', 'HEAD'];

/** Calls `deliver` for these methods, answers OPTIONS, and rejects others. */
export async function answerOnly(
  methods: readonly string[],
  ctx: Context,
  deliver: () => unknown,
): Promise<void> {
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
  if (ctx.method === 'OPTIONS') ctx.status = 204;
  else if (methods.includes(ctx.method)) await deliver();
  else throw new Problem('Method not allowed');
}
