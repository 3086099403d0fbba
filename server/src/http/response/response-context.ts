import type { Context } from 'koa';
import type { ResponseContext } from '../../contract/operation.ts';
import { acceptedType } from './accepted-type.ts';
import type { RequestState } from '../request/request-state.ts';

/**
 * Creates its properties on access, because most operations use none. It is a class because V8 gives each object
 * literal with getters its own hidden class, which keeps the request in memory until the next major garbage collection.
 */
export class HttpResponseContext implements ResponseContext {
  readonly #ctx: Context;
  #disconnected: AbortSignal | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  get disconnected(): AbortSignal {
    this.#disconnected ??= disconnectionOf(this.#ctx);
    return this.#disconnected;
  }

  readonly hasLeft = (): boolean => this.#ctx.res.closed;

  get origin(): string {
    return originOf(this.#ctx);
  }

  get acceptsEventStream(): boolean {
    return acceptedType(this.#ctx, ['application/json', 'text/event-stream']) === 'text/event-stream';
  }

  // A property instead of a method, because operations destructure the context.
  readonly addToLog: ResponseContext['addToLog'] = (fields) => {
    const state = this.#ctx.state as RequestState;
    state.logged = { ...state.logged, ...fields };
  };
}

/** Not Koa's `origin`, which is the origin of the page. A request of HTTP/1.0 may have no Host. */
export function originOf({ protocol, host }: Context): string {
  return `${protocol}://${host || 'localhost'}`;
}

/**
 * A signal that aborts when the client disconnects or closes its side of the connection, or when the response is
 * complete. A client that has closed its side may still read a short response, but nothing shows whether it waits for a
 * long one.
 */
function disconnectionOf({ req, res }: Context): AbortSignal {
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
