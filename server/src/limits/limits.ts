import type { Config } from '../config/config.ts';
import { FairLimit } from './fair-limit.ts';
import { LoopTime } from './loop-time.ts';

/** The limits that all callers share. The README of this folder lists every limit. */
export type Limits = ReturnType<typeof limitsOf>;

export function createLimits(config: Config): Limits {
  const { url, poolSize } = config.database;
  // The embedded database executes one statement at a time, so a caller's second request would only delay other callers.
  return limitsOf(config, url === undefined ? 4 : poolSize);
}

function limitsOf({ charts, ...config }: Config, runningMax: number) {
  return {
    /** Requests, from their heads until their connections have taken the responses. */
    places: new FairLimit(config.concurrentRequestsMax, 'http_requests_in_flight'),
    /** Running requests: one for each database connection, or four on the embedded database, one for each caller. */
    running: new FairLimit(runningMax, 'DATABASE_POOL_SIZE'),
    /** The time of the event loop. */
    loopTime: new LoopTime(),
    /** The bytes of bodies, and of responses and events that clients have not read yet. */
    bytes: new FairLimit(config.bufferedBytesMax, 'http_buffered_bytes', { smallMax: smallBytes }),
    /** Pictures that wait for a render process, counted in pictures of 800 by 600 pixels. */
    pictures: new FairLimit(charts.queueMax, 'chart_queue_length'),
    eventStreams: new FairLimit(config.waitingRequestsMax, 'event_streams', tooManyEventStreams),
    /** Requests that wait for runs, follow runs or stream changes. They hold no place. */
    longPlaces: new FairLimit(config.waitingRequestsMax, 'long_requests', tooManyLongRequests),
  };
}

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
