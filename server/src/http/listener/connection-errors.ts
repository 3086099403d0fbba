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
  const refused = new WeakSet<Duplex>();
  return {
    refuse: (request, response, problem) => {
      const { status, headers, body } = writeProblem(problem, request.headers);
      // The connection stays open after a 503, because later requests on it may be running and must be answered.
      if (status !== 503) refused.add(request.socket);
      response.writeHead(status, { ...headers, ...(status === 503 ? {} : closing) });
      response.end(body);
      onError(status);
    },
    refuseSocket: (error, socket) => {
      if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      // Node may report the body of a request that was refused by its head.
      if (refused.has(socket)) {
        destroySoon(socket);
        return;
      }
      const code = hasUnknownCoding(error) ? 'Not implemented' : socketCodes[error.code ?? ''];
      const problem = new Problem(code ?? 'Bad Request');
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

/** Returns false for a request that has a Content-Length beside its chunks, for which Node has the same error. */
function hasUnknownCoding({ code, rawPacket }: ParseError): boolean {
  return code === 'HPE_INVALID_TRANSFER_ENCODING' && headersIn(rawPacket)['transfer-encoding'] !== 'chunked';
}

/** Headers in the received part of a head. A browser needs the first two to show the response to a page. */
function headersIn(bytes: Buffer | undefined): {
  origin: string;
  'x-request-id': string;
  'transfer-encoding': string;
} {
  // Not a regular expression: trimming white space with one takes cubic time on a line of white space.
  const lines = (bytes?.toString('latin1') ?? '').split('\n').slice(1, -1);
  const valueOf = (name: string): string =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return {
    origin: valueOf('origin'),
    'x-request-id': valueOf('x-request-id'),
    'transfer-encoding': valueOf('transfer-encoding').toLowerCase(),
  };
}
