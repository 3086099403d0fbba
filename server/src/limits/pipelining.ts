import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Counts a request of a connection. Returns false if too many requests of the connection are unanswered. */
type AdmitPipelined = (socket: Socket, response: ServerResponse) => boolean;

/**
 * Bounds how many requests of one connection run at the same time, because each response stays in memory until the
 * responses before it are sent. A request above the limit gets a response too, because only unsent responses make Node
 * stop reading a connection.
 */
export function limitPipelining(unansweredMax: number): AdmitPipelined {
  const unanswered = new WeakMap<Socket, number>();
  return (socket, response) => {
    const count = unanswered.get(socket) ?? 0;
    if (count >= unansweredMax) return false;
    unanswered.set(socket, count + 1);
    // A response that never finishes ends with its connection, and so does the count.
    response.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 0) - 1));
    return true;
  };
}
