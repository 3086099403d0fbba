import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '../../errors.ts';
import type { ErrorCode } from '../../operation.ts';
import type { WriteRawProblem } from '../response/raw-problem.ts';
import { destroySoon } from './destroy-soon.ts';

/** Answers connections whose bytes never become a request of the app. */
interface ConnectionErrors {
  readonly refuse: (request: IncomingMessage, response: ServerResponse, problem: Problem) => void;
  /** Answers bytes that Node cannot parse. Only the socket is available then. */
  readonly refuseSocket: (error: ParseError, socket: Duplex) => void;
}

interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/** `onError` is called with the status of each such response. */
export function createConnectionErrors(
  writeProblem: WriteRawProblem,
  onError: (status: number) => void,
): ConnectionErrors {
  return {
    refuse: (request, response, problem) => {
      const { status, headers, body } = writeProblem(problem, request.headers);
      // The connection stays open after a 503: requests behind it may run, and their responses must arrive.
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
      // A client that keeps its side open would keep the socket, and the memory of the received part of a body.
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

/** The headers that a page needs to read the response, from the part of the head that has arrived. */
function headersIn(bytes: Buffer | undefined): { origin?: string; 'x-request-id'?: string } {
  // Not by a pattern, because a pattern with white space around a value takes cubic time on a line of white space.
  const lines = (bytes?.toString('latin1') ?? '').split('\n').slice(1, -1);
  const valueOf = (name: string): string =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return { origin: valueOf('origin'), 'x-request-id': valueOf('x-request-id') };
}
