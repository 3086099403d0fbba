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
  // Not the time limit of the socket, which starts again with whatever the client sends.
  const check = setInterval(() => {
    const takenBefore = taken;
    taken = takenBytes(response);
    // A response without a socket waits for those before it on its connection, and they have their own check.
    const isStalled = response.socket !== null && response.writableLength > 0 && taken === takenBefore;
    stalledChecks = isStalled ? stalledChecks + 1 : 0;
    if (stalledChecks >= checksPerTimeout) response.destroy();
  }, timeoutMs / checksPerTimeout).unref();
  response.once('close', () => {
    clearInterval(check);
  });
}

/** Whether the system has the whole response; most are taken while they are written. */
function isTaken(response: ServerResponse): boolean {
  if (response.closed || response.writableFinished) return true;
  return response.writableEnded && response.socket?.writableLength === 0;
}

/** How many bytes of the connection the system has taken. */
function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
