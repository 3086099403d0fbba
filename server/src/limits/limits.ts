import type { Config } from '../config/config.ts';
import type { LimitName } from '../errors.ts';
import { FairLimit } from './fair-limit.ts';

/** The limits that all callers share. The README of this folder lists every limit. */
export interface Limits {
  /** Requests that wait or run. They count from the moment their body has arrived, so slow senders do not count. */
  readonly requests: FairLimit;
  /** Running requests: as many as there are database connections. In the embedded database, a caller has one. */
  readonly running: FairLimit;
  /** The bytes of bodies that are being received. */
  readonly bodies: FairLimit;
  /** The bytes of responses that clients have not read yet. */
  readonly responses: FairLimit;
  /** Pictures that wait for a render process, counted in pictures of 800 by 600 pixels. */
  readonly pictures: FairLimit;
  readonly changeStreams: FairLimit;
  /** Requests that wait for runs or follow them. */
  readonly runWaiters: FairLimit;
}

export function createLimits(config: Config): Limits {
  const limit = (max: number, name: LimitName): FairLimit => new FairLimit(max, name);
  const memory = (name: LimitName): FairLimit =>
    new FairLimit(config.bufferedBytesMax, name, { small: smallBytes });
  return {
    requests: limit(config.concurrentRequestsMax, 'http_requests_in_flight'),
    running: limit(runningMax(config.database), 'DATABASE_POOL_SIZE'),
    bodies: memory('http_request_buffered_bytes'),
    responses: memory('http_response_buffered_bytes'),
    pictures: limit(config.charts.queueMax, 'CHART_WORKERS'),
    changeStreams: new FairLimit(config.waitingRequestsMax, 'change_streams', tooManyStreams),
    runWaiters: limit(config.waitingRequestsMax, 'agent_waiters'),
  };
}

function runningMax({ url, poolSize }: Config['database']): number {
  return url === undefined ? embeddedRunningMax : poolSize;
}

/**
 * The embedded database executes one statement at a time, so a caller's second request would only delay other callers.
 */
const embeddedRunningMax = 4;

// The size of an ordinary body or response.
const smallBytes = 64 * 1024;

const tooManyStreams = {
  sentence:
    'Too many streams of changes are open, yours or those of all callers. Close one, or list changes without a stream.',
  retryAfterS: 5,
};
