import type { Context } from 'koa';
import type { RequestContext } from '../../contract/operation.ts';
import type { RequestState } from './request-state.ts';

/**
 * Creates `disconnected` on first use, because most operations do not need it. A class, because V8 gives each object
 * literal with getters its own hidden class, which keeps the request in memory until the next major garbage collection.
 */
export class HttpRequestContext implements RequestContext {
  readonly #ctx: Context;
  readonly #isToolCall: boolean;
  #disconnected: AbortSignal | undefined;

  /** A call of a tool is answered with JSON, whatever the client of MCP accepts. */
  constructor(ctx: Context, isToolCall = false) {
    this.#ctx = ctx;
    this.#isToolCall = isToolCall;
  }

  get disconnected(): AbortSignal {
    this.#disconnected ??= disconnectionOf(this.#ctx);
    return this.#disconnected;
  }

  /** Not Koa's `origin`, which is the header Origin, a page's origin. A request of HTTP/1.0 may have no Host. */
  get origin(): string {
    const { protocol, host } = this.#ctx;
    return `${protocol}://${host || 'localhost'}`;
  }

  get acceptsEventStream(): boolean {
    return this.prefersFile('text/event-stream');
  }

  prefersFile(mediaType: string): boolean {
    // The types are always UTF-8, so a client may name the charset.
    const types = ['application/json', mediaType].flatMap((type) => [type, `${type};charset=utf-8`]);
    const preferred = this.#ctx.accepts(types);
    if (this.#isToolCall || preferred === false || !preferred.startsWith(mediaType)) return false;
    this.#ctx.vary('Accept');
    return true;
  }

  // Properties instead of methods, because operations destructure the context.
  readonly mayWait = (): boolean => (this.#ctx.state as RequestState).place.becomeLong();

  readonly addToLog: RequestContext['addToLog'] = (fields) => {
    const state = this.#ctx.state as RequestState;
    state.logged = { ...state.logged, ...fields };
  };
}

/**
 * A signal that aborts when the response is complete, or the client disconnects or closes its side of the connection.
 * A client that has closed its side may still read the response, but the server cannot find out.
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
  // The events may already have been emitted.
  if (res.closed || socket.readableEnded) abort();
  return disconnected.signal;
}

// One reason for all signals: creating one captures a stack trace, which takes 5 % of the time of a read that waits.
const responseClosed = new DOMException('The response is closed.', 'AbortError');
