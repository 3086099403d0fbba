import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { overloaded } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Contract } from './contract.ts';
import { problemBody } from './failures.ts';
import type { Answer } from './listener.ts';
import { requestIdFrom } from './request-id.ts';
import { helmetHeaders } from './security-headers.ts';

interface DoorParts {
  readonly isFull: () => boolean;
  readonly contract: Pick<Contract, 'allowedMethods'>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  readonly corsOrigins: readonly string[];
}

/**
 * Refuses requests for which there is no room before the app sees them. Of ten times the load most are refused, and what
 * that costs is taken from those who are answered. In the log they are one line a second.
 */
export function createDoor(parts: DoorParts, answer: Answer): Answer {
  const { isFull, logger, metrics } = parts;
  const headers = {
    ...helmetHeaders(),
    'Content-Type': 'application/problem+json',
    'Retry-After': String(overloaded.retryAfterS),
  };
  let refused = 0;
  const tell = (): void => {
    logger.warn({ requests: refused }, 'requests were refused, as the server works on all that it can take');
    refused = 0;
  };
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    const id = requestIdFrom(String(request.headers['x-request-id'] ?? ''));
    const body = problemBody(overloaded.code, id, overloaded);
    const length = Buffer.byteLength(body);
    response.writeHead(overloaded.status, { ...headers, 'X-Request-Id': id, 'Content-Length': length });
    response.end(body);
    metrics.requestSeconds.observe({ operation: 'none', status: overloaded.status }, 0);
    if (refused++ === 0) setTimeout(tell, 1000);
  };
  return (request, response) => {
    if (!isFull() || !isForOperation(request, parts)) return answer(request, response);
    refuse(request, response);
    return Promise.resolve();
  };
}

/** The rest is for the app: probes, the reference page, and pages to which it gives the headers of CORS. */
function isForOperation(
  { url = '', method, headers: { origin = '' } }: IncomingMessage,
  { contract, corsOrigins }: DoorParts,
): boolean {
  if (method === 'OPTIONS' || corsOrigins.includes(origin)) return false;
  const [path = ''] = url.split('?', 1);
  return contract.allowedMethods(path) !== undefined;
}
