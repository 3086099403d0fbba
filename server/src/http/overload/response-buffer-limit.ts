import type { Context } from 'koa';
import { overloaded } from '../../errors.ts';
import type { OperationId } from '../../operation.ts';
import { createByteBudget } from './byte-budget.ts';
import type { HttpResponse } from '../response/http-response.ts';
import type { RequestState } from '../request/request-state.ts';

/** The responses that clients have not read yet, which stay in memory until they do. */
export interface ResponseBufferLimit {
  readonly bufferedBytes: () => number;
  /** Whether they fill their memory, so that no request may add to them. */
  readonly isFull: () => boolean;
  /** Counts a response until its connection has taken it. Refuses it if its request had no effect and there is no room. */
  readonly track: (ctx: Context, reply: HttpResponse) => void;
}

/**
 * Responses of every size count, because a client can pipeline many small ones. Responses to requests without effect may
 * fill only half of the memory, so that clients that ask for much and read nothing do not stop others from writing.
 */
export function createResponseBufferLimit(bytesMax: number): ResponseBufferLimit {
  const budget = createByteBudget(bytesMax / 2);
  return {
    bufferedBytes: budget.used,
    isFull: () => budget.used() >= bytesMax,
    track: (ctx, reply) => {
      if (typeof ctx.body !== 'string' || ctx.method === 'HEAD' || ctx.res.closed) return;
      const callerId = (ctx.state as RequestState).caller?.id ?? '';
      const bytes = ctx.response.length;
      if (isWithoutEffect(ctx) && !budget.hasRoom(callerId, bytes)) {
        takeBack(ctx, reply);
        throw overloaded;
      }
      ctx.res.once('close', budget.take(callerId, bytes));
    },
  };
}

function isWithoutEffect({ method, state }: Context): boolean {
  const { operation } = state as RequestState;
  return method === 'GET' || (operation !== undefined && pictures.has(operation));
}

const pictures: ReadonlySet<OperationId> = new Set(['renderSvg', 'renderPng', 'renderPdf']);

/** Removes the headers of the success, which the refusal does not have. */
function takeBack(ctx: Context, { headers }: HttpResponse): void {
  const { limits } = ctx.state as RequestState;
  for (const name of Object.keys({ ...limits, ...headers })) ctx.remove(name);
}
