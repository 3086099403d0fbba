import type { RateLimitConfig } from '../config/config.ts';
import type { Caller } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { countInWindow } from '../db/rate-limit-store.ts';
import type { Db } from '../db/tables.ts';
import { isId } from '../lib/ids.ts';

/** The kind of a request, which decides which limits count it. */
export type Rate = 'request' | 'run';

const windowMs = 60_000;

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
  const headers: Record<string, string> = {};
  const add = (header: string, item: string): void => {
    headers[header] = header in headers ? `${headers[header]}, ${item}` : item;
  };
  // 0 means no limit.
  for (const [name, max, key] of limits[rate].filter(([, max]) => max > 0)) {
    const { points, leftMs } = await countInWindow(db, `${name}:${key}`, { points: 1, windowMs });
    const leftS = Math.max(1, Math.ceil(leftMs / 1000));
    add('RateLimit', `"${name}";r=${Math.max(0, max - points)};t=${leftS}`);
    add('RateLimit-Policy', `"${name}";q=${max};w=${windowMs / 1000}`);
    if (points > max) throw new Problem('Rate Limited', undefined, { retryAfterS: leftS, headers });
  }
  return headers;
}
