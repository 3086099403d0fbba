import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { RateLimitConfig } from '../config/config.ts';
import type { RateLimitStore } from '../db/rate-limit-store.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Operation, OperationId, Principal } from '../operation.ts';
import type { FairQueue } from './fair-queue.ts';

/** Counts a request and resolves to the rate-limit headers of its response. Rejects with `Rate Limited` above a limit. */
export type CountRequest = (
  rate: Rate,
  caller: Principal,
  path: { readonly id?: unknown },
) => Promise<Readonly<Record<string, string>>>;

type Rate = Operation<OperationId, never>['rate'];

interface Limit {
  readonly name: string;
  readonly max: number;
  readonly limiter: RateLimiterAbstract;
  /** Requests with the same key are counted together. */
  readonly keyOf: (caller: Principal, path: { readonly id?: unknown }) => string;
}

const windowS = 60;

/** The limits of the agents area: counted in the store, so that all servers agree, or without a store in this process. */
export function createRateLimits(
  config: RateLimitConfig,
  store: RateLimitStore | undefined,
  queue: FairQueue,
): CountRequest {
  const limit = (name: string, max: number, keyOf: Limit['keyOf']): Limit[] =>
    max === 0 ? [] : [{ name, max, keyOf, limiter: limiterOf(name, max, store) }];
  const byCaller: Limit['keyOf'] = ({ id }) => id;
  const requests = limit('requests-caller', config.requestsPerCaller, byCaller);
  const runs = [
    // The key also has the caller, so that nobody can use up the limit of another user's agent.
    ...limit('run-agent', config.runsPerAgent, ({ id }, path) => JSON.stringify([id, agentIdOf(path)])),
    ...limit('run-caller', config.runsPerCaller, byCaller),
  ];
  const limits: Readonly<Record<Rate, readonly Limit[]>> = { unlimited: [], request: requests, run: runs };
  return async (rate, caller, path) => {
    const counted = await countAll(limits[rate], (points, { limiter, keyOf }) =>
      // With a store, counting is a statement.
      queue.run(caller.id, () => limiter[points](keyOf(caller, path))),
    );
    return counted.length === 0 ? {} : headersOf(counted);
  };
}

/** The database has ids in lower case. Every text that is not an id counts as the same unknown agent. */
function agentIdOf({ id }: { readonly id?: unknown }): string {
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : '';
}

function limiterOf(name: string, points: number, store: RateLimitStore | undefined): RateLimiterAbstract {
  const options = { keyPrefix: name, points, duration: windowS };
  if (store === undefined) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    // Until its window ends, a refused key is refused again without a statement.
    inMemoryBlockOnConsumed: points + 1,
    storeClient: store,
    // The limiter calls no other method of a pool than `query`.
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
  });
}

interface Counted {
  readonly limit: Limit;
  readonly left: RateLimiterRes;
}

/** Counts a request against all limits. If a limit refuses the request, the limits before it give it back. */
async function countAll(
  limits: readonly Limit[],
  count: (points: 'consume' | 'reward', limit: Limit) => Promise<RateLimiterRes>,
): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const limit of limits) {
    try {
      counted.push({ limit, left: await count('consume', limit) });
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const returned = counted.map(async (each) => ({ ...each, left: await count('reward', each.limit) }));
      throw tooMany([...(await Promise.all(returned)), { limit, left: refusal }], refusal);
    }
  }
  return counted;
}

function tooMany(counted: readonly Counted[], refusal: RateLimiterRes): Problem {
  const retryAfterS = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  return new Problem('Rate Limited', undefined, { retryAfterS, headers: headersOf(counted) });
}

/** The headers of the IETF draft "RateLimit header fields for HTTP". */
function headersOf(counted: readonly Counted[]): Record<string, string> {
  const left = counted.map(
    ({ limit, left: { remainingPoints, msBeforeNext } }) =>
      `"${limit.name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
  );
  const policies = counted.map(({ limit }) => `"${limit.name}";q=${limit.max};w=${windowS}`);
  return { RateLimit: left.join(', '), 'RateLimit-Policy': policies.join(', ') };
}
