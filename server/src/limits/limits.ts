import type { Config } from '../config/config.ts';
import type { LimitName } from '../contract/problem.ts';
import { FairLimit } from './fair-limit.ts';
import { LoopTime } from './loop-time.ts';

/** The limits that all callers share. The README of this folder lists every limit. */
export interface Limits {
  /** Requests, from their heads until their connections have taken the responses. */
  readonly places: FairLimit;
  /** Running requests: one for each database connection, or four on the embedded database, one for each caller. */
  readonly running: FairLimit;
  /** The time of the event loop. */
  readonly loopTime: LoopTime;
  /** The bytes of bodies, and of responses and events that clients have not read yet. */
  readonly bytes: FairLimit;
  /** Pictures that wait for a render process, counted in pictures of 800 by 600 pixels. */
  readonly pictures: FairLimit;
  readonly eventStreams: FairLimit;
  /** Requests that wait for runs, follow runs or stream changes. They hold no place. */
  readonly longPlaces: FairLimit;
}

export function createLimits(config: Config): Limits {
  const limit = (max: number, name: LimitName): FairLimit => new FairLimit(max, name);
  return {
    places: limit(config.concurrentRequestsMax, 'http_requests_in_flight'),
    running: limit(runningMax(config.database), 'DATABASE_POOL_SIZE'),
    loopTime: new LoopTime(),
    bytes: new FairLimit(config.bufferedBytesMax, 'http_buffered_bytes', { smallMax: smallBytes }),
    pictures: limit(config.charts.queueMax, 'chart_queue_length'),
    eventStreams: new FairLimit(config.waitingRequestsMax, 'event_streams', tooManyEventStreams),
    longPlaces: new FairLimit(config.waitingRequestsMax, 'long_requests', tooManyLongRequests),
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

// A browser has at most six connections to a server of HTTP/1.1. The SDK uses one stream for all tabs.
const tooManyEventStreams = {
  callerMax: 20,
  sentence: 'Too many event streams are open, yours (at most 20) or those of all callers. Close one.',
  retryAfterS: 5,
};

const tooManyLongRequests = {
  sentence: 'Too many requests follow changes or wait for runs, yours or those of all callers. Close one.',
  retryAfterS: 5,
};
