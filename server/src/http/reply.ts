import type { Context } from 'koa';
import type { EventStream } from '../operations.ts';
import { eventStream } from './event-stream.ts';
import type { WireReply } from './idempotency.ts';
import type { RequestState } from './state.ts';

/** Puts a reply on the wire: headers and JSON, or a stream of events. */
export function write(ctx: Context, { status, headers, body }: WireReply): void {
  ctx.status = status;
  // The state is this server's, whatever Koa was told of it.
  for (const [name, value] of Object.entries({ ...(ctx.state as RequestState).limits, ...headers })) {
    if (value !== undefined) ctx.set(name, value);
  }
  if (body === null) return;
  if (isEventStream(body)) {
    // Events are always UTF-8, so their media type names no charset.
    ctx.set('Content-Type', 'text/event-stream');
    ctx.body = eventStream(body);
    return;
  }
  ctx.body = JSON.stringify(body);
  ctx.type = 'application/json';
}

function isEventStream(body: unknown): body is EventStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
