import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { FairLimit } from '../../limits/fair-limit.ts';
import { holdResponse } from './hold-response.ts';
import type { EventStream } from '../../operation.ts';
import type { RequestState } from '../request/request-state.ts';
import { eventStream } from './event-stream.ts';
import type { HttpResponse } from './http-response.ts';
import { isFileBody } from './representation.ts';

/**
 * Sends headers and JSON, a file, or a stream of events. `responses` is the memory of responses that clients have not read
 * yet; its rejection is thrown before anything is set.
 */
export function sendResponse(
  ctx: Context,
  { status, headers, body }: HttpResponse,
  responses: FairLimit,
): void {
  const [type, content] = encode(body);
  holdResponse(responses, ctx, content);
  ctx.status = status;
  // Koa types the state of a context loosely, but it always has this server's type.
  setHeaders(ctx, (ctx.state as RequestState).rateLimitHeaders);
  setHeaders(ctx, headers);
  if (content === null) return;
  // The type is set before the body, because Koa would otherwise guess a type.
  ctx.res.setHeader('Content-Type', type);
  if (content instanceof Readable) ctx.res.setHeader('X-Accel-Buffering', 'no');
  ctx.body = content;
}

/** The media type and the content of a body. */
function encode(body: unknown): [type: string, content: string | Buffer | Readable | null] {
  if (body === null) return ['', null];
  // Event streams are always UTF-8, so their media type has no charset.
  if (isEventStream(body)) return ['text/event-stream', eventStream(body)];
  if (typeof body === 'object' && isFileBody(body)) return [body.mediaType, body.bytes];
  return ['application/json; charset=utf-8', JSON.stringify(body)];
}

function setHeaders(ctx: Context, headers: Readonly<Record<string, string | undefined>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) ctx.res.setHeader(name, value);
  }
}

function isEventStream(body: unknown): body is EventStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
