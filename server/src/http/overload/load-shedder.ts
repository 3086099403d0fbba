import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { overloaded } from '../../errors.ts';
import type { Metrics } from '../../metrics.ts';
import { problemBody } from '../response/problem-details.ts';
import type { RequestHandler } from '../listener/listener.ts';
import { requestIdFrom } from '../request/request-id.ts';
import { securityHeaders } from '../response/security-headers.ts';

const delayMs = 200;

/**
 * Whether the operation has no capacity left, for its caller if the token is known; for the MCP endpoint, whether the server
 * is at capacity.
 */
export type IsOverloadedAt = (request: {
  readonly path: string;
  readonly method: string;
  readonly authorization: string;
}) => boolean;

interface LoadShedderOptions {
  readonly isOverloadedAt: IsOverloadedAt;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  readonly corsOrigins: readonly string[];
}

/**
 * Rejects requests before Koa runs, while the server is at capacity or the caller has used up its share. At ten times the
 * load the server rejects most requests, so a cheap rejection leaves more time for the accepted ones. The log has one line
 * a second for all rejections.
 */
export function createLoadShedder(options: LoadShedderOptions, answer: RequestHandler): RequestHandler {
  const { logger, metrics } = options;
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/problem+json',
    'Retry-After': String(overloaded.retryAfterS),
  };
  let rejected = 0;
  const logRejected = (): void => {
    logger.warn(
      { requests: rejected },
      'requests rejected: the server is at capacity, or a caller has used up its share',
    );
    rejected = 0;
  };
  const reject = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = requestIdFrom(String(request.headers['x-request-id'] ?? ''));
    const body = problemBody(overloaded, id);
    const length = Buffer.byteLength(body);
    metrics.requestSeconds.observe({ operation: 'none', status: overloaded.status }, 0);
    if (rejected++ === 0) setTimeout(logRejected, 1000);
    // Clients that do not wait as Retry-After asks them to would take the time that the accepted requests need. The response
    // waits, not the next request of the connection: a proxy may send the request of another user there.
    await sleep(delayMs);
    response.writeHead(overloaded.status, { ...headers, 'X-Request-Id': id, 'Content-Length': length });
    response.end(body);
  };
  return (request, response) =>
    isRejected(request, options) ? reject(request, response) : answer(request, response);
}

/** Koa answers the rest: probes, the reference page, and pages of other origins, whose responses need the headers of CORS. */
function isRejected(
  { url = '', method = '', headers: { origin = '', authorization = '' } }: IncomingMessage,
  { corsOrigins, isOverloadedAt }: LoadShedderOptions,
): boolean {
  return isOverloadedAt({ path: pathOf(url), method, authorization }) && !corsOrigins.includes(origin);
}

/** The path of a request target, which is a path or an address (RFC 9112, section 3.2). */
function pathOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.startsWith('/') || !URL.canParse(path) ? path : new URL(path).pathname;
}
