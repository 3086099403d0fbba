import type { Logger } from 'pino';
import type { Holder, Problem } from '../errors.ts';

const intervalMs = 1000;

interface Rejected {
  requests: number;
  /** The users who held most of the limit at its first rejection. */
  readonly holders: readonly Holder[];
}

/**
 * Returns a function that counts rejected requests. One line a second has their number, the number for each limit, and
 * the users who hold most of it, because a line for each request would add to the load.
 */
export function createRejectionLog(logger: Logger): (rejection: Problem) => void {
  const byLimit = new Map<string, Rejected>();
  const log = (): void => {
    const entries = [...byLimit];
    logger.warn(
      {
        requests: entries.reduce((sum, [, { requests }]) => sum + requests, 0),
        limits: Object.fromEntries(entries.map(([limit, { requests }]) => [limit, requests])),
        // A list, because a log store that indexes keys would otherwise have a key for each user.
        holders: entries.flatMap(([limit, { holders }]) => holders.map((holder) => ({ limit, ...holder }))),
      },
      'requests rejected: the server is at capacity, or a caller has used up its share',
    );
    byLimit.clear();
  };
  return ({ limit = 'none', holders }) => {
    if (byLimit.size === 0) setTimeout(log, intervalMs);
    const rejected = byLimit.get(limit) ?? { requests: 0, holders: holders?.() ?? [] };
    rejected.requests += 1;
    byLimit.set(limit, rejected);
  };
}
