import type { FetchLike } from '@modelcontextprotocol/client';

// What is a list of tools or the result of a call. The client answers every request of a server by one of its own.
const receivedBytesMax = 1024 * 1024;
const requestsMax = 100;

/** A server has sent, or has made this process send, more than a connection may. The message continues "The MCP server …". */
export class LimitExceeded extends Error {
  override name = 'LimitExceeded';
}

export interface LimitedFetch {
  readonly fetch: FetchLike;
  /** Aborts with the given signal, and with `LimitExceeded`. */
  readonly signal: AbortSignal;
}

// How long a server may take to end a session, for which nobody waits.
const endMs = 5000;

/** A `fetch` whose requests end with the signal, for a connection with a limited number of requests and bytes received. */
export function limitedFetch(until: AbortSignal): LimitedFetch {
  const exceeded = new AbortController();
  const signal = AbortSignal.any([until, exceeded.signal]);
  let [bytes, requests] = [0, 0];
  const count = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes <= receivedBytesMax) controller.enqueue(chunk);
        else exceeded.abort(new LimitExceeded(`sent more than ${receivedBytesMax} bytes`));
      },
    });
  const send = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    return response.body === null ? response : new Response(response.body.pipeThrough(count()), response);
  };
  return {
    signal,
    fetch: async (url, init = {}) => {
      // The request that ends a session comes after the work, and also after its time is over.
      if (init.method === 'DELETE') return send(url, { ...init, signal: AbortSignal.timeout(endMs) });
      requests += 1;
      if (requests > requestsMax) exceeded.abort(new LimitExceeded(`sent more than ${requestsMax} requests`));
      signal.throwIfAborted();
      const own = init.signal ?? signal;
      return send(url, { ...init, signal: AbortSignal.any([signal, own]) });
    },
  };
}
