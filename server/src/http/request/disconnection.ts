import type { Context } from 'koa';

/**
 * A signal that aborts when the client disconnects or closes its side of the connection, or when the response is
 * complete. A client that has closed its side may still read a short response, but nothing tells whether it waits for a
 * long one.
 */
export function disconnectionOf({ req, res }: Context): AbortSignal {
  const disconnected = new AbortController();
  const { socket } = req;
  const abort = (): void => {
    socket.off('end', abort);
    disconnected.abort(responseClosed);
  };
  res.once('close', abort);
  socket.once('end', abort);
  // These events may have been emitted before.
  if (res.closed || socket.readableEnded) abort();
  return disconnected.signal;
}

// One reason for all signals: creating one captures a stack trace, which takes 5 % of the time of a read that waits.
const responseClosed = new DOMException('The response is closed.', 'AbortError');
