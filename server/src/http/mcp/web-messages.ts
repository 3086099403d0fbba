import { Readable } from 'node:stream';
import type { Context } from 'koa';

// `Request` requires an address, but the MCP package does not read it.
const address = 'http://localhost/mcp';

/** A request as the Fetch API has it, without the token and without the body, which has been read. */
export function webRequest(ctx: Context): Request {
  const headers = Object.entries(ctx.headers).flatMap(([name, value]): [string, string][] =>
    isOfProtocol(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return new Request(address, { method: ctx.method, headers });
}

function isOfProtocol(name: string): boolean {
  return name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
}

/** Sends a response of the Fetch API: a stream event by event, any other response as a whole. */
export async function sendWebResponse(ctx: Context, response: Response, isStream: boolean): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) {
    // Whether the connection stays open is decided by the listener.
    if (name !== 'connection') ctx.set(name, value);
  }
  if (response.body === null) {
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  if (isStream) ctx.set('X-Accel-Buffering', 'no');
  ctx.body = isStream ? Readable.fromWeb(response.body) : Buffer.from(await response.arrayBuffer());
}

/** Returns true for a message whose response is a stream of events. */
export function isSubscription(message: unknown): boolean {
  const { method } = Object(message) as { method?: unknown };
  return method === 'subscriptions/listen';
}
