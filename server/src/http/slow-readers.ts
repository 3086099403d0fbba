import type { ServerResponse } from 'node:http';

const checksPerTimeout = 4;

/**
 * Closes the connection of a client that reads nothing of its response for `timeoutMs`, to free the memory of the
 * response or stream. A stream without anything to send stays open.
 */
export function cutOffSlowReader(response: ServerResponse, timeoutMs: number): void {
  if (isTaken(response)) return;
  let taken = takenBytes(response);
  let stalledChecks = 0;
  // Not the socket's timeout, because any bytes from the client restart it.
  const check = setInterval(() => {
    const takenBefore = taken;
    taken = takenBytes(response);
    const isStalled = response.writableLength > 0 && taken === takenBefore;
    stalledChecks = isStalled ? stalledChecks + 1 : 0;
    if (stalledChecks >= checksPerTimeout) response.destroy();
  }, timeoutMs / checksPerTimeout).unref();
  response.once('close', () => {
    clearInterval(check);
  });
}

/**
 * Returns true if the operating system has taken the whole response, as it does for most responses while they are
 * written.
 */
function isTaken(response: ServerResponse): boolean {
  if (response.closed || response.writableFinished) return true;
  return response.writableEnded && response.socket?.writableLength === 0;
}

/** How many bytes of the connection the operating system has taken. */
function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
