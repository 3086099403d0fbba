import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCodes, Problem } from '../../errors.ts';
import type { ErrorCode } from '../../operation.ts';
import { problemBody } from '../response/problem-details.ts';
import { requestIdFrom } from '../request/request-id.ts';
import { destroySoon } from './destroy-soon.ts';

/** Answers connections whose bytes never become a request of the app. */
interface ConnectionErrors {
  readonly refuse: (request: IncomingMessage, response: ServerResponse, problem: Problem) => void;
  /** For bytes that Node cannot parse: then there is only the socket to answer on. */
  readonly refuseSocket: (error: NodeJS.ErrnoException, socket: Duplex) => void;
}

/** `onError` is called with the status of each such response. */
export function createConnectionErrors(onError: (status: number) => void): ConnectionErrors {
  return {
    refuse: (request, response, problem) => {
      const requestId = requestIdFrom(String(request.headers['x-request-id'] ?? ''));
      response.writeHead(problem.status, headersOf(requestId, problem.status));
      response.end(problemBody(problem, requestId));
      onError(problem.status);
    },
    refuseSocket: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const code = socketCodes[error.code ?? ''] ?? 'Bad Request';
      socket.end(rawResponse(code));
      // A client that keeps its side open would keep the socket, and the memory of what it has sent of a body.
      destroySoon(socket);
      onError(errorCodes[code][0]);
    },
  };
}

const socketCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'Headers too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request timeout',
};

function rawResponse(code: ErrorCode): string {
  const requestId = randomUUID();
  const [status] = errorCodes[code];
  const head = Object.entries(headersOf(requestId, status)).map(([name, value]) => `${name}: ${value}`);
  const body = problemBody(new Problem(code), requestId);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...head, '', body].join('\r\n');
}

/** After a 503 the connection stays open: requests behind it may run, and their responses must arrive. */
function headersOf(requestId: string, status: number): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Content-Type': 'application/problem+json',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 503 ? { 'Retry-After': '1' } : { Connection: 'close' }),
  };
}
