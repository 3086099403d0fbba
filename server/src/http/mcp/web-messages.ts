import type { Context } from 'koa';

// `Request` requires an address; the MCP package does not read it.
const address = 'http://localhost/mcp';

// The package requires that clients accept both types.
const accept = 'application/json, text/event-stream';

/** A POST request as a `Request` of the Fetch API, without its token and its body, which has already been read. */
export function webRequest({ headers }: Context): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  const ofProtocol = Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
  return new Request(address, {
    method: 'POST',
    headers: { ...ofProtocol, accept, 'content-type': 'application/json' },
  });
}

/**
 * Sends a `Response` of the Fetch API as a whole, which is possible because the package's streams end. A stream of one
 * message is sent as JSON, which every client accepts.
 */
export async function sendWebResponse(ctx: Context, response: Response): Promise<void> {
  const text = await response.text();
  const [message, ...others] = messagesOf(text);
  const isOne = message !== undefined && others.length === 0;
  const type = isOne ? 'application/json' : response.headers.get('Content-Type');
  ctx.status = response.status;
  ctx.body = isOne ? message : text;
  if (type !== null) ctx.set('Content-Type', type);
}

/** The messages of an event stream; none if the text is JSON. */
function messagesOf(text: string): string[] {
  // A regular expression would not do, because its lines also end at U+2028 and U+2029, which a text may contain.
  const prefix = 'data: ';
  const lines = text.split('\n').filter((line) => line.startsWith(prefix));
  return lines.map((line) => line.slice(prefix.length));
}
