import { LRUCache } from 'lru-cache';
import type { RateLimitConfig } from '../config/config.ts';
import { countInWindow, type WindowCount } from '../db/rate-limit-store.ts';
import type { Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import type { Caller } from '../contract/operation.ts';
import type { FairQueue } from './fair-queue.ts';

/** Counts a request, and resolves to rate-limit headers for its response. Rejects with `Rate Limited` above a limit. */
export type CountRequest = (
  rate: Rate,
  request: { readonly path: { readonly id?: unknown }; readonly hasLeft: () => boolean },
  caller: Caller,
) => Promise<Readonly<Record<string, string>>>;

/** The limits that count a request. */
export type Rate = 'unlimited' | 'request' | 'run';

interface Limit {
  readonly name: string;
  readonly max: number;
  /** Adds points to a key. */
  readonly count: (key: string, points: 1 | -1) => Promise<WindowCount>;
  /** Requests with the same key share a count. */
  readonly keyOf: (caller: Caller, path: { readonly id?: unknown }) => string;
}

const windowS = 60;

/** The rate limits of the agents area. They are counted in the database, so that all servers agree. */
export function createRateLimits(config: RateLimitConfig, db: Db, queue: FairQueue): CountRequest {
  const limit = (name: string, max: number, keyOf: Limit['keyOf']): Limit[] =>
    max === 0 ? [] : [{ name, max, keyOf, count: createCounter(db, name, max) }];
  const byCaller: Limit['keyOf'] = ({ id }) => id;
  const requests = limit('requests-caller', config.requestsPerCaller, byCaller);
  const runs = [
    // The key includes the caller, so that nobody can use up the limit of another user's agent.
    ...limit('run-agent', config.runsPerAgent, ({ id }, path) => JSON.stringify([id, agentIdOf(path)])),
    ...limit('run-caller', config.runsPerCaller, byCaller),
  ];
  const limits: Readonly<Record<Rate, readonly Limit[]>> = { unlimited: [], request: requests, run: runs };
  return async (rate, { path, hasLeft }, caller) => {
    if (limits[rate].length === 0) return {};
    const count = async (limit: Limit, points: 1 | -1): Promise<Counted> => {
      return { ...limit, ...(await limit.count(limit.keyOf(caller, path), points)) };
    };
    return headersOf(await queue.run(caller.id, hasLeft, () => countAll(limits[rate], count)));
  };
}

/** The id of an agent, in lower case as in the database. All texts that are not ids count as one unknown agent. */
function agentIdOf({ id }: { readonly id?: unknown }): string {
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : '';
}

/** Counts requests by key. A refused key stays refused until its window ends, without further statements. */
function createCounter(db: Db, name: string, max: number): Limit['count'] {
  const refused = new LRUCache<string, WindowCount>({ max: 10_000 });
  return async (key, points) => {
    const lastRefusal = refused.get(key);
    if (lastRefusal !== undefined) return { ...lastRefusal, leftMs: refused.getRemainingTTL(key) };
    const counted = await countInWindow(db, `${name}:${key}`, { points, windowMs: windowS * 1000 });
    if (counted.points > max && counted.leftMs > 0) refused.set(key, counted, { ttl: counted.leftMs });
    return counted;
  };
}

type Counted = Limit & WindowCount;

/** Counts a request against all limits. If one limit refuses the request, the others do not count it. */
async function countAll(
  limits: readonly Limit[],
  count: (limit: Limit, points: 1 | -1) => Promise<Counted>,
): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const limit of limits) {
    const window = await count(limit, 1);
    if (window.points > limit.max) {
      const returned = await Promise.all(counted.map((each) => count(each, -1)));
      const retryAfterS = Math.max(1, Math.ceil(window.leftMs / 1000));
      throw new Problem('Rate Limited', undefined, {
        retryAfterS,
        headers: headersOf([...returned, window]),
      });
    }
    counted.push(window);
  }
  return counted;
}

/** The headers of the IETF draft "RateLimit header fields for HTTP". */
function headersOf(counted: readonly Counted[]): Record<string, string> {
  const left = counted.map(
    ({ name, max, points, leftMs }) =>
      `"${name}";r=${Math.max(0, max - points)};t=${Math.ceil(leftMs / 1000)}`,
  );
  const policies = counted.map(({ name, max }) => `"${name}";q=${max};w=${windowS}`);
  return { RateLimit: left.join(', '), 'RateLimit-Policy': policies.join(', ') };
}
