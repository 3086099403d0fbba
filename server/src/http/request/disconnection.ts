import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client disconnects, or when the response is complete. */
export function disconnectionOf(res: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  res.once('close', () => {
    disconnected.abort();
  });
  // The client may have disconnected while the operation ran: then `close` has been emitted already.
  if (res.closed) disconnected.abort();
  return disconnected.signal;
}
