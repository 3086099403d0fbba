import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { AnyResponse, EventStream } from '../../contract/operation.ts';
import type { Place } from '../place.ts';
import type { RequestState } from '../request/request-state.ts';

/**
 * Sends headers with JSON, a file or an event stream. If the caller has no capacity for the response to a request that
 * changes nothing, throws the 503 before any header is set.
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

/** The content to send for a body, and its headers. A file's headers come with its response. */
function encode(
  body: unknown,
  ctx: Context,
  place: Place,
): [content: string | Buffer | Readable | null, headers?: Readonly<Record<string, string>>] {
  if (body === null || Buffer.isBuffer(body)) return [body];
  if (isEventStream(body)) return [eventStream(body, countEvents(ctx.res, place)), streamHeaders];
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
  // Stops counting the request's body first, because a caller that uses nothing may go a little beyond the limit.
  place.setBytes(mayRefuse ? 0 : bytes);
  if (mayRefuse && !place.trySetBytes(bytes)) throw place.limits.bytes.rejection;
}

/** Returns `hold` for `eventStream`. It counts an event, and the bytes that the connection has not taken yet. */
function countEvents(res: ServerResponse, place: Place): (bytes: number) => boolean {
  const hold = (bytes: number): boolean => place.trySetBytes(res.writableLength + bytes);
  res.on('drain', () => hold(0));
  return hold;
}

/**
 * Server-sent events as bytes. Comments between events keep proxies from closing an idle connection. `hold` gets the
 * size of each event before it is sent, and 0 when the connection has accepted it. The stream ends when `hold` returns
 * false.
 */
function eventStream(events: EventStream, hold: (bytes: number) => boolean, heartbeatMs = 15_000): Readable {
  // The next event is read only when the connection has taken the previous one.
  const options = { objectMode: false, highWaterMark: 1 };
  return Readable.from(withHeartbeats(events, hold, heartbeatMs), options);
}

async function* withHeartbeats(
  events: EventStream,
  hold: (bytes: number) => boolean,
  heartbeatMs: number,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const result = await orTimeout(next, heartbeatMs);
      if (result === 'timeout') {
        yield ': still here\n\n';
        continue;
      }
      if (result.done === true) return;
      const text = textOf(result.value);
      if (!hold(Buffer.byteLength(text))) return;
      yield text;
      hold(0);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

async function orTimeout<Result>(next: Promise<Result>, afterMs: number): Promise<Result | 'timeout'> {
  const { promise: timeout, resolve } = Promise.withResolvers<'timeout'>();
  using _timer = setTimeout(resolve, afterMs, 'timeout' as const).unref();
  return await Promise.race([next, timeout]);
}

function textOf(event: { event: string; data: unknown; id?: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `event: ${event.event}\n${id}data: ${JSON.stringify(event.data)}\n\n`;
}
