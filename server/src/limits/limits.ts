import type { Config } from '../config/config.ts';
import { FairLimit } from './fair-limit.ts';

/** The limits that all callers share. The README of this folder describes each of them. */
export type Limits = Readonly<
  Record<'places' | 'running' | 'bytes' | 'pictures' | 'longRequests', FairLimit>
>;

export function createLimits({ database: { url, poolSize }, charts, ...config }: Config): Limits {
  return {
    places: new FairLimit(config.concurrentRequestsMax, 'http_requests_in_flight'),
    /** One for each database connection; four on the embedded database, so that each caller may run one. */
    running: new FairLimit(url === undefined ? 4 : poolSize, 'http_requests_running'),
    bytes: new FairLimit(config.bufferedBytesMax, 'http_buffered_bytes'),
    /** Charts that wait or are being drawn by a render process, as a number of charts of 800 by 600 pixels. */
    pictures: new FairLimit(charts.queueMax, 'chart_queue_length'),
    longRequests: new FairLimit(config.waitingRequestsMax, 'long_requests'),
  };
}
