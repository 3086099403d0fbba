import type { Middleware } from 'koa';
import type { Contract } from '../contract/contract.ts';
import type { Pipeline } from './pipeline.ts';

/** Answers HTTP requests for the operations of the contract. */
export function serveOperations({ router }: Contract, { respond }: Pick<Pipeline, 'respond'>): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'OPTIONS') return respond(ctx, router.getRoute(ctx.method, ctx.path));
    ctx.set('Allow', router.allowedMethods(ctx.path));
    ctx.status = 204;
  };
}
