import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { requestIdFrom } from './request/request-id.ts';
import type { RequestState } from './request/request-state.ts';
import { parseTraceparent } from './request/traceparent.ts';

/** Names each request, and when it has been answered, measures it and writes its line. */
export function accessLog(logger: Logger, { requestSeconds }: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedMs = performance.now();
    const { state } = ctx;
    state.requestId = requestIdFrom(ctx.get('X-Request-Id'));
    ctx.res.setHeader('X-Request-Id', state.requestId);

    await next();

    const { status, method, path } = ctx;
    const { requestId, operation, caller, error: failure } = state;
    const ms = performance.now() - startedMs;
    requestSeconds.observe({ operation: operation ?? 'none', status }, ms / 1000);
    logger[levelOf(status, operation)]({
      request_id: requestId,
      ...parseTraceparent(ctx.get('traceparent')),
      ...{ method, path, operation, user: caller?.id, status },
      ms: Math.round(ms * 10) / 10,
      ...(isFault(status) ? { err: failure } : {}),
      ...(status === 401 ? refusalOf(failure) : {}),
    });
  };
}

/** To refuse what is too much is no fault, and a line with a stack for each refusal would add to the load. */
function isFault(status: number): boolean {
  return status >= 500 && status !== 503;
}

/** Which check a token failed and on which claim. Its message stays out, as it may repeat what the token holds. */
function refusalOf(failure: unknown): { refusal?: object } {
  const cause = failure instanceof Error ? failure.cause : undefined;
  if (!(cause instanceof Error && 'code' in cause)) return {};
  return { refusal: { code: cause.code, ...('claim' in cause ? { claim: cause.claim } : {}) } };
}

/** What is no operation, such as a probe every few seconds, is of interest only when it fails. */
function levelOf(status: number, operation: string | undefined): 'error' | 'info' | 'debug' {
  if (isFault(status)) return 'error';
  return operation === undefined && status < 400 ? 'debug' : 'info';
}
