import type { Context } from 'koa';
import type { EventStream } from '../../operation.ts';
import { eventStream } from './event-stream.ts';
import type { HttpResponse } from './http-response.ts';
import type { RequestState } from '../request/request-state.ts';

/** Puts a reply on the wire: headers and JSON, or a stream of events. */
export function sendResponse(ctx: Context, { status, headers, body }: HttpResponse): void {
  ctx.status = status;
  // The state is this server's, whatever Koa was told of it.
  setHeaders(ctx, (ctx.state as RequestState).limits);
  setHeaders(ctx, headers);
  if (body === null) return;
  if (isEventStream(body)) {
    // Events are always UTF-8, so their media type names no charset.
    ctx.set('Content-Type', 'text/event-stream');
    ctx.body = eventStream(body);
    return;
  }
  // Before the body, of which Koa would guess a type.
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
