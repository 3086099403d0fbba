import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import type { RequestState } from './state.ts';

/** Names each request and writes one line for it when it has been answered. */
export function accessLog(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedMs = performance.now();
    const { state } = ctx;
    state.requestId = givenRequestId(ctx.get('X-Request-Id')) ?? v7();
    ctx.set('X-Request-Id', state.requestId);

    await next();

    logger[ctx.status >= 500 ? 'error' : 'info']({
      request_id: state.requestId,
      method: ctx.method,
      path: ctx.path,
      operation: state.operation,
      user: state.caller?.id,
      status: ctx.status,
      ms: Math.round((performance.now() - startedMs) * 10) / 10,
      ...(ctx.status >= 500 ? { err: state.failure } : {}),
    });
  };
}

function givenRequestId(header: string): string | undefined {
  return /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : undefined;
}
