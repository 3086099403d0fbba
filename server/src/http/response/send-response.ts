import type { Context } from 'koa';
import type { EventStream } from '../../operation.ts';
import { eventStream } from './event-stream.ts';
import { isFileBody } from './representation.ts';
import type { HttpResponse } from './http-response.ts';
import type { RequestState } from '../request/request-state.ts';

/** Sends headers and JSON, a file, or a stream of events. */
export function sendResponse(ctx: Context, { status, headers, body }: HttpResponse): void {
  ctx.status = status;
  // Koa types the state of a context loosely; it is this server's.
  setHeaders(ctx, (ctx.state as RequestState).rateLimitHeaders);
  setHeaders(ctx, headers);
  if (body === null) return;
  if (isEventStream(body)) {
    // Event streams are always UTF-8, so their media type has no charset.
    ctx.set('Content-Type', 'text/event-stream');
    ctx.set('X-Accel-Buffering', 'no');
    ctx.body = eventStream(body);
    return;
  }
  if (typeof body === 'object' && isFileBody(body)) {
    ctx.res.setHeader('Content-Type', body.mediaType);
    ctx.body = body.bytes;
    return;
  }
  // Set before the body: otherwise Koa guesses a type.
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(body);
}

function setHeaders(ctx: Context, headers: Readonly<Record<string, string | undefined>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) ctx.res.setHeader(name, value);
  }
}

function isEventStream(body: unknown): body is EventStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
