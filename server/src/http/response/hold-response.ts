import type { Context } from 'koa';
import type { RequestState } from '../request/request-state.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';

/**
 * Counts the bytes of a response until its connection has taken them. A stream is not counted, because it has few bytes
 * in memory. Responses of every size count, because a client can pipeline many small ones. Without room, throws the
 * rejection for a request that has changed nothing. The response to a write is sent even if it exceeds the caller's
 * share, because the write has happened; the caller's next request is then rejected.
 */
export function holdResponse(responses: FairLimit, { method, res, state }: Context, content: unknown): void {
  const isBuffered = typeof content === 'string' || Buffer.isBuffer(content);
  if (!isBuffered || method === 'HEAD' || res.closed) return;
  // Koa types the state of a context loosely, but it always has this server's type.
  const { caller: { id = '' } = {}, isSafe } = state as RequestState;
  const bytes = Buffer.byteLength(content);
  if (isSafe === true && !responses.hasRoom(id, bytes)) throw responses.rejection;
  responses.acquire(id, bytes);
  res.once('close', () => {
    responses.release(id, bytes);
  });
}
