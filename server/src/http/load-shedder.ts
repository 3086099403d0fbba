import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Contract } from '../contract/contract.ts';
import type { FairLimit } from '../limits/fair-limit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Operations, Principal } from '../operation.ts';
import { isMcpPath } from './mcp/mcp.ts';
import { bearerToken } from './request/bearer.ts';
import type { RequestState } from './request/request-state.ts';

// Clients that ignore Retry-After would otherwise take time from the accepted requests.
const delayMs = 200;

interface LoadShedderOptions {
  readonly contract: Contract;
  readonly operations: Operations<never>;
  readonly limits: Pick<Limits, 'requests' | 'pictures' | 'responses' | 'bodies'>;
  /** Finds the caller of a token that was verified before. Callers of other tokens hold nothing yet, so they pass. */
  readonly findVerified: (token: string) => Principal | undefined;
}

/**
 * Rejects requests by their heads while the server is at capacity, or while the caller has used up its share. At ten
 * times the load most requests are rejected, so a cheap rejection leaves more time for the others. Only the response is
 * delayed: the connection may belong to a proxy, whose next request may be another user's.
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

/** The limits that apply to a request. None apply to probes and to CORS preflights. */
function limitsOf(
  { method, path }: Context,
  { contract, operations, limits }: LoadShedderOptions,
): FairLimit[] {
  const { requests, pictures, responses, bodies } = limits;
  const operation = contract.findRoute(method, path)?.operation;
  if (operation !== undefined) {
    const own = operations[operation.operationId].paintsPicture === true ? pictures : requests;
    return operation.requestBody === undefined ? [responses, own] : [responses, own, bodies];
  }
  return isMcpPath(path) && method !== 'OPTIONS' ? [responses, requests, bodies] : [];
}
