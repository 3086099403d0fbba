import type { ServerResponse } from 'node:http';

/** A signal that aborts when the client disconnects, or when the response is complete. */
export function disconnectionOf(res: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  const abort = (): void => {
    disconnected.abort(responseClosed);
  };
  res.once('close', abort);
  // The client may have disconnected while the operation ran: then `close` has been emitted already.
  if (res.closed) abort();
  return disconnected.signal;
}

// All signals share the reason, because a new one captures a stack trace, 5 % of the time of a read that has waited.
const responseClosed = new DOMException('The response is closed.', 'AbortError');
