import type { Logger } from 'pino';

const intervalMs = 1000;
const usersMax = 3;

/**
 * Returns a function that counts rejected requests. One line a second has their number, the number for each limit, and
 * the users who sent the most of them, because a line for each request would add to the load.
 */
export function createRejectionLog(logger: Logger): (limit: string | undefined, callerId: string) => void {
  const limits = new Map<string, number>();
  const users = new Map<string, number>();
  let requests = 0;
  const log = (): void => {
    logger.warn(
      { requests, limits: Object.fromEntries(limits), users: busiest(users) },
      'requests rejected: the server is at capacity, or a caller has used up its share',
    );
    limits.clear();
    users.clear();
    requests = 0;
  };
  return (limit = 'none', callerId) => {
    if (requests++ === 0) setTimeout(log, intervalMs);
    count(limits, limit);
    count(users, callerId);
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/**
 * The users with the most requests, as a list, because a log store that indexes keys would otherwise have a key for
 * each user.
 */
function busiest(counts: ReadonlyMap<string, number>): { user: string; requests: number }[] {
  const descending = [...counts].sort(([, a], [, b]) => b - a);
  return descending.slice(0, usersMax).map(([user, requests]) => ({ user, requests }));
}
