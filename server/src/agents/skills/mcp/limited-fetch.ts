import type { FetchLike } from '@modelcontextprotocol/client';
import { jsonValueCounter } from './json-value-counter.ts';

// Limits of one list of tools or one call. Values are limited because the client creates errors for each wrong entry of an
// array, and requests because it responds to each request of the server with a request of its own.
const receivedBytesMax = 1024 * 1024;
const receivedValuesMax = 20_000;
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

// The time limit of the request that ends a session, in the background.
const endMs = 5000;

/** A `fetch` whose requests end with the signal, for a connection with a limited number of requests and size of responses. */
export function limitedFetch(until: AbortSignal): LimitedFetch {
  const exceeded = new AbortController();
  const signal = AbortSignal.any([until, exceeded.signal]);
  let [bytes, values, requests] = [0, 0, 0];
  const count = (): TransformStream<Uint8Array, Uint8Array> => {
    const countValues = jsonValueCounter();
    return new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        values += countValues(chunk);
        if (bytes > receivedBytesMax)
          exceeded.abort(new LimitExceeded(`sent more than ${receivedBytesMax} bytes`));
        else if (values > receivedValuesMax)
          exceeded.abort(new LimitExceeded(`sent more than ${receivedValuesMax} JSON values`));
        else controller.enqueue(chunk);
      },
    });
  };
  const send = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    return response.body === null ? response : new Response(response.body.pipeThrough(count()), response);
  };
  return {
    signal,
    fetch: async (url, init = {}) => {
      // The request that ends a session is also sent after the signal has aborted, so it has a time limit of its own.
      if (init.method === 'DELETE') return send(url, { ...init, signal: AbortSignal.timeout(endMs) });
      requests += 1;
      if (requests > requestsMax) exceeded.abort(new LimitExceeded(`sent more than ${requestsMax} requests`));
      signal.throwIfAborted();
      const requestSignal = init.signal ?? signal;
      return send(url, { ...init, signal: AbortSignal.any([signal, requestSignal]) });
    },
  };
}
