import type { RateLimitConfig } from '../config/config.ts';
import type { Caller } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { countInWindow } from '../db/rate-limit-store.ts';
import type { Db } from '../db/tables.ts';
import { isId } from '../lib/ids.ts';

/** The limits that count a request. */
export type Rate = 'request' | 'run';

const windowS = 60;

/**
 * Counts a request of the agents area in the database, so that all servers agree. Resolves to the rate-limit headers of
 * its response (IETF draft "RateLimit header fields for HTTP"). Rejects with `Rate Limited` above a limit; the limits
 * after that limit do not count the request.
 */
export async function countRequest(
  { db, rateLimits }: { readonly db: Db; readonly rateLimits: RateLimitConfig },
  rate: Rate,
  { caller, path: { id } }: { readonly caller: Caller; readonly path: { readonly id?: unknown } },
): Promise<Readonly<Record<string, string>>> {
  // In lower case as in the database. All texts that are not ids count as one unknown agent.
  const agentId = typeof id === 'string' && isId(id) ? id.toLowerCase() : '';
  const limits = {
    request: [['requests-caller', rateLimits.requestsPerCaller, caller.id]],
    run: [
      // The key includes the caller, so that nobody can use up the limit of another user's agent.
      ['run-agent', rateLimits.runsPerAgent, JSON.stringify([caller.id, agentId])],
      ['run-caller', rateLimits.runsPerCaller, caller.id],
    ],
  } as const satisfies Record<Rate, unknown>;
  const left: string[] = [];
  const policies: string[] = [];
  const headers = (): Record<string, string> =>
    left.length === 0 ? {} : { RateLimit: left.join(', '), 'RateLimit-Policy': policies.join(', ') };
  for (const [name, max, key] of limits[rate]) {
    // 0 means no limit.
    if (max === 0) continue;
    const window = { points: 1, windowMs: windowS * 1000 };
    const { points, leftMs } = await countInWindow(db, `${name}:${key}`, window);
    const leftS = Math.ceil(leftMs / 1000);
    left.push(`"${name}";r=${Math.max(0, max - points)};t=${leftS}`);
    policies.push(`"${name}";q=${max};w=${windowS}`);
    if (points <= max) continue;
    throw new Problem('Rate Limited', undefined, { retryAfterS: Math.max(1, leftS), headers: headers() });
  }
  return headers();
}
