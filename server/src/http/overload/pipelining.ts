import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Takes a request of a connection unless too many of it are unanswered. Returns whether it is to be answered. */
export type AdmitPipelined = (socket: Socket, response: ServerResponse) => boolean;

/**
 * Bounds how many requests of one connection are answered at the same time: their responses stay in memory until those
 * before them are sent. The connection is closed behind the last one that is taken, and the client has to send those
 * after it again (RFC 9112, section 9.3.2).
 */
export function limitPipelining(unansweredMax: number): AdmitPipelined {
  const unanswered = new WeakMap<Socket, number>();
  const closing = new WeakSet<Socket>();
  return (socket, response) => {
    if (closing.has(socket)) return false;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    // A response that never finishes ends with its connection, and so does the count.
    response.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
    if (count === unansweredMax) {
      closing.add(socket);
      response.setHeader('Connection', 'close');
    }
    return true;
  };
}
