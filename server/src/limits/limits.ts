import type { Config } from '../config/config.ts';
import { FairLimit } from './fair-limit.ts';
import { LoopTime } from './loop-time.ts';

/** The limits that all callers share. The README of this folder lists every limit. */
export type Limits = ReturnType<typeof limitsOf>;

export function createLimits(config: Config): Limits {
  return limitsOf(config);
}

function limitsOf({ database: { url, poolSize }, charts, ...config }: Config) {
  return {
    places: new FairLimit(config.concurrentRequestsMax, 'http_requests_in_flight', {
      help: 'Requests whose responses are not sent yet.',
    }),
    /**
     * Running requests: one for each database connection. The embedded database executes one statement at a time, so
     * there are four, one for each caller: a caller's second request would only delay other callers.
     */
    running: new FairLimit(url === undefined ? 4 : poolSize, 'DATABASE_POOL_SIZE', { help: undefined }),
    loopTime: new LoopTime(),
    bytes: new FairLimit(config.bufferedBytesMax, 'http_buffered_bytes', {
      help: 'Memory of request bodies, and of responses and events that clients have not read yet.',
      // The size of an ordinary body or response.
      smallMax: 64 * 1024,
    }),
    pictures: new FairLimit(charts.queueMax, 'chart_queue_length', {
      help: 'Charts that wait or are being drawn by a render process, as a number of charts of 800 by 600 pixels.',
    }),
    eventStreams: new FairLimit(config.waitingRequestsMax, 'event_streams', {
      help: 'Event streams of changes and runs.',
      // A browser has at most six connections to a server of HTTP/1.1. The SDK uses one stream for all tabs.
      callerMax: 20,
      sentence: 'Too many event streams are open, yours (at most 20) or those of all callers. Close one.',
      retryAfterS: 5,
    }),
    /** They hold no place. */
    longPlaces: new FairLimit(config.waitingRequestsMax, 'long_requests', {
      help: 'Requests that wait for runs, and streams.',
      sentence:
        'Too many requests follow changes or wait for runs, yours or those of all callers. Close one.',
      retryAfterS: 5,
    }),
  };
}
