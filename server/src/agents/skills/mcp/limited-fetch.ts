import type { FetchLike } from '@modelcontextprotocol/client';
import { unlimitedFetch } from '../../../lib/unlimited-fetch.ts';

// Limits for listing tools once or for one call. JSON values are limited because the client creates an error for each
// wrong entry of an array. Requests are limited because the client answers each server request with its own request.
const receivedBytesMax = 1024 * 1024;
const receivedValuesMax = 20_000;
const requestsMax = 100;

/** Thrown if a server exceeds a limit, or cannot be used. The message continues "The MCP server …". */
export class ServerFault extends Error {
  override name = 'ServerFault';
}

/** A server has redirected a request. */
export class Redirected extends Error {
  override name = 'Redirected';
  readonly status: number;

  constructor({ status, headers, url }: Response) {
    super(`answered ${status} to ${targetOf(headers.get('Location') ?? '', url)}`);
    this.status = status;
  }
}

/** The path of a redirect, and the origin if it changes. The query is left out, because it may contain secrets. */
function targetOf(location: string, base: string): string {
  if (!URL.canParse(location, base)) return 'no address';
  const { origin, pathname } = new URL(location, base);
  return origin === new URL(base).origin ? pathname : origin + pathname;
}

// The time limit of the request that ends a session.
const endMs = 2000;

/**
 * A `fetch` that limits the number of requests and the size of responses of a connection. `signal` aborts with
 * `ServerFault` when a limit is exceeded. `restart` resets the counters for the next call.
 */
export function limitedFetch(): { fetch: FetchLike; signal: AbortSignal; restart: () => void } {
  const exceeded = new AbortController();
  const { signal } = exceeded;
  let [bytes, values, requests] = [0, 0, 0];
  const limit = (count: number, max: number, unit: string): void => {
    if (count > max) exceeded.abort(new ServerFault(`sent more than ${max} ${unit}`));
  };
  const count = (): TransformStream<Uint8Array, Uint8Array> => {
    const countValues = jsonValueCounter();
    return new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        values += countValues(chunk);
        limit(bytes, receivedBytesMax, 'bytes');
        limit(values, receivedValuesMax, 'JSON values');
        if (!signal.aborted) controller.enqueue(chunk);
      },
    });
  };
  const send = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const response = await unlimitedFetch(url, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Redirected(response);
    }
    return response.body === null ? response : new Response(response.body.pipeThrough(count()), response);
  };
  return {
    signal,
    restart: () => {
      [bytes, values, requests] = [0, 0, 0];
    },
    fetch: async (url, init = {}) => {
      // The DELETE that ends a session is sent even after `signal` has aborted, so it has its own time limit.
      if (init.method === 'DELETE') return send(url, { ...init, signal: AbortSignal.timeout(endMs) });
      // A GET without Last-Event-ID opens a stream for messages outside of calls, which nobody would read.
      if (init.method === 'GET' && !new Headers(init.headers).has('Last-Event-ID'))
        return new Response(null, { status: 405 });
      requests += 1;
      limit(requests, requestsMax, 'requests');
      signal.throwIfAborted();
      const requestSignal = init.signal ?? signal;
      return send(url, { ...init, signal: AbortSignal.any([signal, requestSignal]) });
    },
  };
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, lineFeed, carriageReturn] = [code('"'), code('\\'), code('\n'), code('\r')];
const [comma, bracket, brace] = [code(','), code('['), code('{')];

/**
 * Returns a function that counts the JSON values in each chunk of a body, before anything parses it: one for each
 * comma, `[` and `{` outside a string. An empty array or object counts as one value too many.
 */
function jsonValueCounter(): (chunk: Uint8Array) => number {
  let [isInString, isEscaped] = [false, false];
  return (chunk) => {
    let values = 0;
    for (const byte of chunk) {
      // A line always starts outside a string, because JSON strings contain no line break. Without this, an unpaired
      // quote in a comment of an event stream would confuse the count.
      if (byte === lineFeed || byte === carriageReturn) [isInString, isEscaped] = [false, false];
      else if (isEscaped) isEscaped = false;
      else if (byte === quote) isInString = !isInString;
      else if (isInString) isEscaped = byte === backslash;
      else if (byte === comma || byte === bracket || byte === brace) values += 1;
    }
    return values;
  };
}
