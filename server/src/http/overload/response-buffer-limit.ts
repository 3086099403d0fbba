import type { Context } from 'koa';
import { overloaded } from '../../errors.ts';
import type { OperationId } from '../../operation.ts';
import { createByteBudget } from './byte-budget.ts';
import type { HttpResponse } from '../response/http-response.ts';
import type { RequestState } from '../request/request-state.ts';

/** Bounds the memory of responses that clients have not read yet. */
export interface ResponseBufferLimit {
  readonly bufferedBytes: () => number;
  /** Whether the memory is full, or the share of this caller if one is given, so that a request has to be rejected. */
  readonly isFull: (callerId?: string) => boolean;
  /** Counts a response until its connection has taken it. Without room, throws `Overloaded` for a request without effect. */
  readonly countOrReject: (ctx: Context, reply: HttpResponse) => void;
}

/**
 * Responses of every size count, because a client can pipeline many small ones. The response to a write is sent even if it
 * exceeds the caller's share, because the write has happened; `isFull` then refuses the requests that follow.
 */
export function createResponseBufferLimit(bytesMax: number): ResponseBufferLimit {
  const budget = createByteBudget(bytesMax);
  return {
    bufferedBytes: budget.used,
    isFull: (callerId) =>
      budget.used() >= bytesMax || (callerId !== undefined && !budget.hasRoom(callerId, 0)),
    countOrReject: (ctx, reply) => {
      const isBuffered = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body);
      if (!isBuffered || ctx.method === 'HEAD' || ctx.res.closed) return;
      const callerId = (ctx.state as RequestState).caller?.id ?? '';
      const bytes = ctx.response.length;
      if (changesNothing(ctx) && !budget.hasRoom(callerId, bytes)) {
        removeHeaders(ctx, reply);
        throw overloaded.MAX_BUFFERED_RESPONSE_BYTES;
      }
      ctx.res.once('close', budget.take(callerId, bytes));
    },
  };
}

function changesNothing({ method, state }: Context): boolean {
  const { operation } = state as RequestState;
  return method === 'GET' || (operation !== undefined && renderings.has(operation));
}

// Rendering is a POST, but it changes nothing.
const renderings: ReadonlySet<OperationId> = new Set(['renderSvg', 'renderPng', 'renderPdf']);

/** Removes the success response's headers before the 503 is sent. */
function removeHeaders(ctx: Context, { headers }: HttpResponse): void {
  const { rateLimitHeaders } = ctx.state as RequestState;
  for (const name of Object.keys({ ...rateLimitHeaders, ...headers })) ctx.remove(name);
}
