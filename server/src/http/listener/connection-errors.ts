import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '../../errors.ts';
import type { ErrorCode } from '../../operation.ts';
import type { WriteRawProblem } from '../response/raw-problem.ts';
import { destroySoon } from './destroy-soon.ts';

/** Responds to connections whose requests the app never sees. */
interface ConnectionErrors {
  readonly refuse: (request: IncomingMessage, response: ServerResponse, problem: Problem) => void;
  /** Responds to bytes that Node cannot parse. There is only a socket, without a request. */
  readonly refuseSocket: (error: ParseError, socket: Duplex) => void;
}

interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/** Calls `onError` with the status of each response. */
export function createConnectionErrors(
  writeProblem: WriteRawProblem,
  onError: (status: number) => void,
): ConnectionErrors {
  return {
    refuse: (request, response, problem) => {
      const { status, headers, body } = writeProblem(problem, request.headers);
      // The connection stays open after a 503, because later requests on it may be running and must be answered.
      response.writeHead(status, { ...headers, ...(status === 503 ? {} : closing) });
      response.end(body);
      onError(status);
    },
    refuseSocket: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const problem = new Problem(socketCodes[error.code ?? ''] ?? 'Bad Request');
      const { status, headers, body } = writeProblem(problem, headersIn(error.rawPacket));
      const lines = Object.entries({ ...headers, ...closing }).map(([name, value]) => `${name}: ${value}`);
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
      // A client that keeps its side open would otherwise keep the socket and the received part of a body in memory.
      destroySoon(socket);
      onError(status);
    },
  };
}

const closing = { Connection: 'close' };

const socketCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'Headers too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request timeout',
};

/** The headers that a browser needs to show the response to a page, from the received part of the head. */
function headersIn(bytes: Buffer | undefined): { origin?: string; 'x-request-id'?: string } {
  // Not a regular expression: trimming white space with one takes cubic time on a line of white space.
  const lines = (bytes?.toString('latin1') ?? '').split('\n').slice(1, -1);
  const valueOf = (name: string): string =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return { origin: valueOf('origin'), 'x-request-id': valueOf('x-request-id') };
}
