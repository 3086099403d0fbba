import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Contract } from '../contract/contract.ts';
import { isMcpPath } from './mcp/mcp.ts';
import { bearerToken } from './request/bearer.ts';
import type { RequestState } from './request/request-state.ts';
import type { Operations, Principal } from '../operation.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Limits } from '../limits/limits.ts';

// Clients that ignore Retry-After would otherwise take the time that the accepted requests need.
const delayMs = 200;

interface LoadShedderOptions {
  readonly contract: Contract;
  readonly operations: Operations<never>;
  readonly limits: Pick<Limits, 'requests' | 'pictures' | 'responses' | 'bodies'>;
  /** Finds the caller of a token that was verified before. Other tokens pass, because their callers hold nothing yet. */
  readonly findVerified: (token: string) => Principal | undefined;
}

/**
 * Rejects requests by their heads while the server is at capacity or the caller has used up its share. At ten times the
 * load the server rejects most requests, so a cheap rejection leaves more time for the accepted ones. Only the response
 * is delayed, not the next request of the connection, which a proxy may send for another user.
 */
export function shedLoad(options: LoadShedderOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const limits = limitsOf(ctx, options);
    const token = limits.length === 0 ? undefined : bearerToken(ctx.get('Authorization'));
    const caller = token === undefined ? undefined : options.findVerified(token);
    const exceeded = caller && limits.find((limit) => !limit.hasRoom(caller.id));
    if (caller === undefined || exceeded === undefined) {
      await next();
      return;
    }
    Object.assign(ctx.state, { caller, isShed: true });
    await sleep(delayMs);
    throw exceeded.rejection;
  };
}

/** The limits that a request meets. Probes and preflights of CORS meet none. */
function limitsOf(
  { method, path }: Context,
  { contract, operations, limits }: LoadShedderOptions,
): FairLimit[] {
  const { requests, responses, bodies } = limits;
  const operation = contract.findRoute(method, path)?.operation;
  if (operation !== undefined) {
    const own = limits[operations[operation.operationId].limit ?? 'requests'];
    return operation.requestBody === undefined ? [responses, own] : [responses, own, bodies];
  }
  return isMcpPath(path) && method !== 'OPTIONS' ? [responses, requests, bodies] : [];
}
