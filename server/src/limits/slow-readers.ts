import type { ServerResponse } from 'node:http';

const checksPerTimeout = 4;

/**
 * Closes the connection of a client that takes nothing of its response for `timeoutMs`, so that the response, or the
 * stream that waits to send more, does not stay in memory. A stream that has nothing to send stays open.
 */
export function cutOffSlowReader(response: ServerResponse, timeoutMs: number): void {
  if (isTaken(response)) return;
  let taken = takenBytes(response);
  let stalledChecks = 0;
  // The time limit of the socket is of no use here, because any bytes that the client sends restart it.
  const check = setInterval(() => {
    const takenBefore = taken;
    taken = takenBytes(response);
    // A response without a socket waits for earlier responses on its connection, which have checks of their own.
    const isStalled = response.socket !== null && response.writableLength > 0 && taken === takenBefore;
    stalledChecks = isStalled ? stalledChecks + 1 : 0;
    if (stalledChecks >= checksPerTimeout) response.destroy();
  }, timeoutMs / checksPerTimeout).unref();
  response.once('close', () => {
    clearInterval(check);
  });
}

/** Returns true if the operating system has taken the whole response. Most are taken while they are written. */
function isTaken(response: ServerResponse): boolean {
  if (response.closed || response.writableFinished) return true;
  return response.writableEnded && response.socket?.writableLength === 0;
}

/** The number of bytes of the connection that the operating system has taken. */
function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
