import type { FetchLike } from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { asObject, countValues, isObject, type Json } from '../../../lib/json.ts';
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

// The time limit of the request that ends a session.
const endMs = 2000;

/**
 * A `fetch` that limits the number of requests and the size of responses of a connection, and repairs the messages in
 * responses. `signal` aborts with `ServerFault` when a limit is exceeded. `restart` resets the counters for the next
 * call.
 */
export function limitedFetch(repair: Repair): { fetch: FetchLike; signal: AbortSignal; restart: () => void } {
  const exceeded = new AbortController();
  const { signal } = exceeded;
  let [bytes, values, requests] = [0, 0, 0];
  const limit = (count: number, max: number, unit: string): void => {
    if (count > max) exceeded.abort(new ServerFault(`sent more than ${max} ${unit}`));
  };
  const count = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        limit(bytes, receivedBytesMax, 'bytes');
        if (!signal.aborted) controller.enqueue(chunk);
      },
    });
  const admit: Repair = (message) => {
    values += countValues(message);
    limit(values, receivedValuesMax, 'JSON values');
    signal.throwIfAborted();
    repair(message);
  };
  const send = async (url: string | URL, init: RequestInit): Promise<Response> => {
    const response = await unlimitedFetch(url, init);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ServerFault('redirects to another address');
    }
    const headers = new Headers(response.headers);
    // The client cannot sign in. If it received this header, it would hide the status of the response.
    headers.delete('WWW-Authenticate');
    const head = { status: response.status, statusText: response.statusText, headers };
    const body = response.body?.pipeThrough(count());
    const isStream = /text\/event-stream/i.test(headers.get('Content-Type') ?? '');
    if (body !== undefined && isStream) {
      const events = ReadableStream.from(repairEvents(body, admit));
      return new Response(events.pipeThrough(new TextEncoderStream()), head);
    }
    const { text, messages } = repairJson(await new Response(body).text(), admit);
    // Go servers that do not set the type send JSON as plain text.
    if (messages.length > 0) headers.set('Content-Type', 'application/json');
    if (response.ok && !answers(messages, init.body))
      throw new ServerFault('ended its response without a result');
    return new Response(text === '' ? null : text, head);
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

type Repair = (message: Json) => void;

/** The events of a stream with repaired messages. The last event may lack the empty line that ends an event. */
async function* repairEvents(body: ReadableStream<Uint8Array>, repair: Repair): AsyncGenerator<string, void> {
  const events: string[] = [];
  const parser = createParser({
    onRetry: (ms) => events.push(`retry: ${ms}\n\n`),
    onEvent: ({ id, event = 'message', data }) => {
      const lines = repairJson(data, repair).text.replaceAll('\n', '\ndata: ');
      events.push(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`);
    },
  });
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text);
    yield* events.splice(0);
  }
  parser.feed('\n\n');
  yield* events;
}

/** Repairs the messages in a JSON text. A text that is not JSON stays as it is. */
function repairJson(text: string, repair: Repair): { text: string; messages: readonly Json[] } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { text: text.trim(), messages: [] };
  }
  const messages = [body].flat().filter(isObject);
  messages.forEach(repair);
  return { text: JSON.stringify(body), messages };
}

/** Returns true if the messages contain the response to a request, or if the body is not a request. */
function answers(messages: readonly Json[], body: RequestInit['body']): boolean {
  const { id, method } = asObject(JSON.parse(typeof body === 'string' ? body : '{}')) ?? {};
  if (id === undefined || method === undefined) return true;
  return messages.some(({ id: of }) => of === id || Number(of) === id);
}
