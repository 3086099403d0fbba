import type { Middleware } from 'koa';
import { Problem } from '../errors.ts';

/** Refuses requests at once while as many as the limit are being worked on, so that those stay quick. */
export function overload(requestsMax: number): Middleware {
  let requests = 0;
  return async (_ctx, next) => {
    if (requests >= requestsMax) throw new Problem('Overloaded', undefined, { retryAfterS: 1 });
    requests += 1;
    try {
      await next();
    } finally {
      requests -= 1;
    }
  };
}
