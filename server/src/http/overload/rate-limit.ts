import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { RateLimitConfig } from '../../agents/config.ts';
import type { RateLimitStore } from '../../db/rate-limit-store.ts';
import { Problem } from '../../errors.ts';
import { isId } from '../../ids.ts';
import type { OperationId, Principal } from '../../operation.ts';

/** Lets a request pass, and says with which headers; a request too many is refused with `Rate Limited`. */
export type CountRequest = (
  operation: OperationId,
  caller: Principal,
  path: { readonly id?: string },
) => Promise<Readonly<Record<string, string>>>;

interface Limit {
  readonly name: string;
  readonly max: number;
  readonly limiter: RateLimiterAbstract;
  /** Whose requests are counted together. */
  readonly keyOf: (caller: Principal, path: { readonly id?: string }) => string;
}

const windowS = 60;

/** The limits of the agents area, counted in the store so that all servers agree, or without one in this process. */
export function createRateLimits(config: RateLimitConfig, store: RateLimitStore | undefined): CountRequest {
  const limit = (name: string, max: number, keyOf: Limit['keyOf']): Limit[] =>
    max === 0 ? [] : [{ name, max, keyOf, limiter: limiterOf(name, max, store) }];
  const byCaller: Limit['keyOf'] = ({ id }) => id;
  const requests = limit('requests-caller', config.requestsPerCaller, byCaller);
  const runs = [
    ...limit('run-caller', config.runsPerCaller, byCaller),
    // Only with the caller: nobody may use up the limit of an agent that is not theirs.
    ...limit('run-agent', config.runsPerAgent, ({ id }, path) => JSON.stringify([id, agentIdOf(path)])),
  ];
  const limits: { readonly [Id in OperationId]?: readonly Limit[] } = {
    listAgents: requests,
    createAgent: requests,
    runAgent: runs,
    getSession: requests,
    listMessages: requests,
  };
  return async (operation, caller, path) => {
    const counted = await countAll(limits[operation] ?? [], caller, path);
    return counted.length === 0 ? {} : headersOf(counted);
  };
}

/** In the one form that the database knows; what cannot be an id counts as one unknown agent. */
function agentIdOf({ id = '' }: { readonly id?: string }): string {
  return isId(id) ? id.toLowerCase() : '';
}

function limiterOf(name: string, points: number, store: RateLimitStore | undefined): RateLimiterAbstract {
  const options = { keyPrefix: name, points, duration: windowS };
  if (store === undefined) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: store,
    // It asks a pool with `query`, which is what the store has.
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  });
}

interface Counted {
  readonly limit: Limit;
  readonly left: RateLimiterRes;
}

async function countAll(
  limits: readonly Limit[],
  caller: Principal,
  path: { readonly id?: string },
): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const limit of limits) {
    try {
      counted.push({ limit, left: await limit.limiter.consume(limit.keyOf(caller, path)) });
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany([...counted, { limit, left: refusal }], refusal);
    }
  }
  return counted;
}

function tooMany(counted: readonly Counted[], refusal: RateLimiterRes): Problem {
  const retryAfterS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  return new Problem('Rate Limited', undefined, { retryAfterS, headers: headersOf(counted) });
}

/** As the IETF draft on RateLimit headers writes them. */
function headersOf(counted: readonly Counted[]): Record<string, string> {
  const left = counted.map(
    ({ limit, left: { remainingPoints, msBeforeNext } }) =>
      `"${limit.name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
  );
  const policies = counted.map(({ limit }) => `"${limit.name}";q=${limit.max};w=${windowS}`);
  return { RateLimit: left.join(', '), 'RateLimit-Policy': policies.join(', ') };
}
