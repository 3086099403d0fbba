import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { Place, type PlaceLimits } from './place.ts';
import type { RequestState } from './request/request-state.ts';

// Clients that ignore Retry-After would otherwise take time from the admitted requests.
const delayMs = 200;
// Requests that wait for their rejection take memory, so requests beyond this number are rejected at once.
const delayedMax = 1000;

/**
 * Counts what each request uses, until its connection has taken the response. A rejected request is answered after a
 * delay. Only its response is delayed: the connection may belong to a proxy, whose next request may be another user's.
 */
export function admission(limits: PlaceLimits): Middleware<RequestState> {
  let delayed = 0;
  return async (ctx, next) => {
    const place = new Place(limits, ctx.res);
    ctx.state.place = place;
    try {
      await next();
      if (place.isRejected && delayed < delayedMax) {
        delayed += 1;
        await sleep(delayMs);
        delayed -= 1;
      }
      // A problem is sent even if the caller has no capacity for its bytes.
      if (ctx.state.error !== undefined) place.setBytes(Buffer.byteLength(String(ctx.body)));
    } finally {
      place.end();
    }
  };
}
