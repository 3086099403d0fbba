import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Metrics } from '../../metrics.ts';
import type { RequestHandler } from '../listener/listener.ts';
import { requestIdFrom } from '../request/request-id.ts';
import { corsHeaders } from '../response/cors.ts';
import { problemBody } from '../response/problem-details.ts';
import { securityHeaders } from '../response/security-headers.ts';
import type { FindRejection, Rejection } from './find-rejection.ts';
import { createRejectionLog } from './rejection-log.ts';

const delayMs = 200;

interface LoadShedderOptions {
  readonly findRejection: FindRejection;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  readonly corsOrigins: readonly string[];
}

/**
 * Rejects requests before Koa runs, while the server is at capacity or the caller has used up its share. At ten times the
 * load the server rejects most requests, so a cheap rejection leaves more time for the accepted ones.
 */
export function createLoadShedder(options: LoadShedderOptions, answer: RequestHandler): RequestHandler {
  const { metrics } = options;
  const headers = { ...securityHeaders, 'Content-Type': 'application/problem+json' };
  const headersOfCors = corsHeaders(options.corsOrigins);
  const logRejection = createRejectionLog(options.logger);
  const reject = async (
    { problem, callerId }: Rejection,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const id = requestIdFrom(String(request.headers['x-request-id'] ?? ''));
    const body = problemBody(problem, id);
    metrics.requestSeconds.observe({ operation: 'none', status: problem.status }, 0);
    logRejection(problem.limit, callerId);
    // Clients that do not wait as Retry-After asks them to would take the time that the accepted requests need. The response
    // waits, not the next request of the connection: a proxy may send the request of another user there.
    await sleep(delayMs);
    response.writeHead(problem.status, {
      ...headers,
      ...headersOfCors(request.headers.origin ?? ''),
      'Retry-After': String(problem.retryAfterS),
      'X-Request-Id': id,
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  return (request, response) => {
    const {
      url = '',
      method = '',
      headers: { authorization = '' },
    } = request;
    const rejection = options.findRejection({ path: pathOf(url), method, authorization });
    return rejection === undefined ? answer(request, response) : reject(rejection, request, response);
  };
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}
