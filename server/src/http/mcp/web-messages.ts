import type { Context } from 'koa';
import { acceptedType } from '../response/accepted-type.ts';

// `Request` requires an address; the MCP package does not read it.
const address = 'http://localhost/mcp';

const eventStream = 'text/event-stream';

/**
 * A POST request as a `Request` of the Fetch API, without its token and its body, which has already been read. The
 * package requires that a client accepts JSON and event streams. For a client that accepts only one, the returned
 * request claims both, and `sendWebResponse` sends what the client accepts.
 */
export function webRequest(ctx: Context): Request {
  const headers = Object.entries(ctx.headers).flatMap(([name, value]): [string, string][] =>
    /^(?:accept$|content-type$|mcp-)/.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  const acceptsEither = acceptedType(ctx, ['application/json', eventStream]) !== undefined;
  return new Request(address, {
    method: 'POST',
    headers: acceptsEither ? [...headers, ['accept', `application/json, ${eventStream}`]] : headers,
  });
}

/** Sends a `Response` of the Fetch API as a whole, which is possible because the package's streams end. */
export async function sendWebResponse(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) {
    // The listener decides about the Connection header.
    if (name !== 'connection') ctx.set(name, value);
  }
  if (response.body === null) {
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  const received = await response.text();
  // The package requires both types, but here either suffices.
  const isRefused = response.status === 406;
  const text = isRefused ? received.replace('both application/json and', 'application/json or') : received;
  const message = response.headers.get('Content-Type') === eventStream ? messageOf(text) : undefined;
  // The package has created a stream for a client that may accept only JSON (see `webRequest`).
  const isJson = message !== undefined && !ctx.get('Accept').toLowerCase().includes(eventStream);
  if (isJson) ctx.set('Content-Type', 'application/json');
  ctx.body = Buffer.from(isJson ? message : text);
}

/** The last message of a finished stream, which is the answer. */
function messageOf(stream: string): string | undefined {
  // Not by a regular expression, whose lines also end at U+2028 and U+2029, which a text may contain.
  const prefix = 'data: ';
  const line = stream.split('\n').findLast((each) => each.startsWith(prefix));
  return line?.slice(prefix.length);
}
