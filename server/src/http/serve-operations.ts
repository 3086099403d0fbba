import type { Middleware } from 'koa';
import type { Contract } from '../contract/contract.ts';
import { isDecodable } from '../contract/router.ts';
import { Problem } from '../contract/problem.ts';
import type { Pipeline } from './pipeline.ts';

/** Answers HTTP requests for the operations of the contract. */
export function serveOperations(contract: Contract, { respond }: Pick<Pipeline, 'respond'>): Middleware {
  return async (ctx) => {
    if (!isDecodable(ctx.path))
      throw new Problem('Bad Request', 'The path has a "%" that is not followed by a valid escape.');
    if (ctx.method !== 'OPTIONS') return respond(ctx, contract.getRoute(ctx.method, ctx.path));
    const allowed = contract.allowedMethods(ctx.path);
    if (allowed === undefined) throw new Problem('Not found');
    ctx.status = 204;
    ctx.set('Allow', allowed);
  };
}
