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
  rate: Rate | undefined,
  request: { readonly path: { readonly id?: unknown }; readonly hasLeft: () => boolean },
  caller: Caller,
) => Promise<Readonly<Record<string, string>>>;

/** The limits that count a request. */
export type Rate = 'request' | 'run';

interface Limit {
  readonly name: string;
  /** 0 means no limit. */
  readonly max: number;
  /** Requests with the same key share a count. */
  readonly key: string;
}

type Counted = Limit & WindowCount;

const windowS = 60;

/** The rate limits of the agents area. They are counted in the database, so that all servers agree. */
export function createRateLimits(config: RateLimitConfig, db: Db, queue: FairQueue): CountRequest {
  const refused = new LRUCache<string, WindowCount>({ max: 10_000 });
  // A refused key stays refused until its window ends, without further statements.
  const count = async (limit: Limit, points: 1 | -1): Promise<Counted> => {
    const key = `${limit.name}:${limit.key}`;
    const lastRefusal = refused.get(key);
    if (lastRefusal !== undefined) return { ...limit, ...lastRefusal, leftMs: refused.getRemainingTTL(key) };
    const window = await countInWindow(db, key, { points, windowMs: windowS * 1000 });
    if (window.points > limit.max && window.leftMs > 0) refused.set(key, window, { ttl: window.leftMs });
    return { ...limit, ...window };
  };
  return async (rate, { path, hasLeft }, { id }) => {
    const limits = limitsOf(rate, config, id, path).filter(({ max }) => max > 0);
    if (limits.length === 0) return {};
    return headersOf(await queue.run(id, hasLeft, () => countAll(limits, count)));
  };
}

function limitsOf(
  rate: Rate | undefined,
  config: RateLimitConfig,
  callerId: string,
  path: { readonly id?: unknown },
): readonly Limit[] {
  if (rate === undefined) return [];
  if (rate === 'request') return [{ name: 'requests-caller', max: config.requestsPerCaller, key: callerId }];
  // The key includes the caller, so that nobody can use up the limit of another user's agent.
  const agentKey = JSON.stringify([callerId, agentIdOf(path)]);
  return [
    { name: 'run-agent', max: config.runsPerAgent, key: agentKey },
    { name: 'run-caller', max: config.runsPerCaller, key: callerId },
  ];
}

/** The id of an agent, in lower case as in the database. All texts that are not ids count as one unknown agent. */
function agentIdOf({ id }: { readonly id?: unknown }): string {
  return typeof id === 'string' && isId(id) ? id.toLowerCase() : '';
}

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
