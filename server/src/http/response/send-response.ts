import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { AnyResponse, EventStream } from '../../contract/operation.ts';
import type { Place } from '../place.ts';
import type { RequestState } from '../request/request-state.ts';

/**
 * Sends headers with JSON, a file or an event stream. If a request that changes nothing has no capacity for its bytes,
 * throws the 503 before any header is set.
 */
export function sendResponse(ctx: Context, place: Place, { status, headers, body }: AnyResponse): void {
  const [content, contentHeaders] = encode(body, ctx, place);
  countContent(ctx, place, content);
  ctx.status = status;
  // Koa types the state loosely, but here it always has this type.
  const { rateLimitHeaders } = ctx.state as RequestState;
  for (const [name, value] of Object.entries({ ...contentHeaders, ...rateLimitHeaders, ...headers })) {
    if (value !== undefined) ctx.res.setHeader(name, value);
  }
  // After the headers, or Koa would guess the type.
  if (content !== null) ctx.body = content;
}

/** The content of a body, and the headers that describe the content. A file has its own headers. */
function encode(
  body: unknown,
  ctx: Context,
  place: Place,
): [content: string | Buffer | Readable | null, headers?: Readonly<Record<string, string>>] {
  if (body === null || Buffer.isBuffer(body)) return [body];
  if (isEventStream(body)) return [eventStream(body, ctx.res, place), streamHeaders];
  return [JSON.stringify(body), jsonHeaders];
}

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

// Event streams are always UTF-8, so their media type has no charset.
const streamHeaders = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };

function isEventStream(body: unknown): body is EventStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/**
 * Counts the bytes of a response until the connection has taken them.
 *
 * - Small responses are counted too, because a client can leave many of them unread.
 * - Without capacity, a request that has changed nothing is rejected. The response to a write is sent even if it
 *   exceeds the caller's share, because the write has happened; the caller's next request is then rejected.
 */
export function countContent({ method, state }: Context, place: Place, content: unknown): void {
  const isBuffered = typeof content === 'string' || Buffer.isBuffer(content);
  const bytes = isBuffered && method !== 'HEAD' ? Buffer.byteLength(content) : 0;
  const mayRefuse = (state as RequestState).isSafe === true;
  // Without the bytes of the body, a caller that uses nothing else may take a small amount beyond the limit.
  place.setBytes(mayRefuse ? 0 : bytes);
  if (mayRefuse && !place.trySetBytes(bytes)) throw place.limits.bytes.rejection;
}

const heartbeatMs = 15_000;

/**
 * Server-sent events as bytes, which count until they are sent. Without capacity for an event, the stream ends. Comments
 * keep proxies from closing an idle connection.
 */
function eventStream(events: EventStream, res: ServerResponse, place: Place): Readable {
  const hold = (bytes: number): boolean => place.trySetBytes(res.writableLength + bytes);
  res.on('drain', () => hold(0));
  // The response may be closed already.
  const heartbeat = setInterval(() => {
    if (res.closed) clearInterval(heartbeat);
    else if (!res.writableEnded) res.write(': still here\n\n');
  }, heartbeatMs);
  // The next event is read only when the connection has taken the previous one.
  return Readable.from(textsOf(events, hold), { objectMode: false, highWaterMark: 1 });
}

async function* textsOf(events: EventStream, hold: (bytes: number) => boolean): AsyncGenerator<string> {
  for await (const event of events) {
    const text = textOf(event);
    if (!hold(Buffer.byteLength(text))) return;
    yield text;
    hold(0);
  }
}

function textOf(event: { event: string; data: unknown; id?: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `event: ${event.event}\n${id}data: ${JSON.stringify(event.data)}\n\n`;
}
