import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const pauseMs = 200;

/**
 * Reads the next request of a connection a little later than the response: clients that do not wait as Retry-After asks
 * them to would take the time that the accepted requests need.
 */
export function pauseAfter(response: ServerResponse, socket: Socket): void {
  response.once('finish', () => {
    setImmediate(() => {
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
  });
}
