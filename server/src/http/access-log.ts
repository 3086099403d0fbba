import { performance } from 'node:perf_hooks';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Problem } from '../errors.ts';
import { createRejectionLog } from './rejection-log.ts';
import { reasonsOf } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { requestIdFrom } from './request/request-id.ts';
import type { RequestState } from './request/request-state.ts';
import { parseTraceparent } from './request/traceparent.ts';

/** Gives each request its id. Measures and logs the request when it has been answered. */
export function accessLog(logger: Logger, { requests, requestSeconds }: Metrics): Middleware<RequestState> {
  const logRejection = createRejectionLog(logger);
  return async (ctx, next) => {
    const startedMs = performance.now();
    const { state } = ctx;
    state.requestId = requestIdFrom(ctx.get('X-Request-Id'));
    ctx.res.setHeader('X-Request-Id', state.requestId);

    await next();

    const { method, path } = ctx;
    const { requestId, operation, caller, logged, isShed, isProbe, error } = state;
    const { outcome: status = ctx.status } = state;
    const ms = performance.now() - startedMs;
    const label = { operation: operation ?? (isProbe === true ? 'probe' : 'none') };
    requests.inc({ ...label, status });
    // The delay of a rejection is not a response time.
    if (isShed !== true) requestSeconds.observe(label, ms / 1000);
    if (isShed === true && error instanceof Problem) {
      logRejection(error);
      return;
    }
    logger[levelOf(status, operation)]({
      request_id: requestId,
      ...parseTraceparent(ctx.get('traceparent')),
      ...{ method, path, operation, user: caller?.id, status },
      ...logged,
      ms: Math.round(ms * 10) / 10,
      ...(isFault(status) ? { err: error } : {}),
      ...(status === 503 ? rejectionReason(error) : {}),
      ...(status === 401 ? tokenRefusal(error) : {}),
    });
  };
}

/** Logs a response that broke off. A client that disconnects is not a fault, and its request already has a log line. */
export function logBrokenResponse(logger: Logger): (error: Error, ctx: Context) => void {
  return (error, ctx) => {
    if ('code' in error && disconnections.has(error.code)) return;
    const { requestId, operation, caller } = ctx.state as RequestState;
    logger.warn({ request_id: requestId, operation, user: caller?.id, err: error }, 'a response broke off');
  };
}

const disconnections: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** 503 is not a fault but the answer to overload. A line with a stack for each would add to the load. */
function isFault(status: number): boolean {
  return status >= 500 && status !== 503;
}

/** The limit that was reached and who holds most of it, or the reason of the failure without the stack that `err` has. */
function rejectionReason(error: unknown): object {
  if (!(error instanceof Problem)) return {};
  const { limit, cause, holders } = error;
  return limit === undefined && cause !== undefined
    ? { reason: reasonsOf(cause) }
    : { limit, holders: holders?.() };
}

/**
 * The check that a token failed, and the claim. The message is left out because it may repeat parts of the token. An error
 * without a code concerns a key, such as one that is too short.
 */
function tokenRefusal(error: unknown): { refusal?: object } {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return {};
  if (!('code' in cause)) return { refusal: { reason: cause.message } };
  return { refusal: { code: cause.code, ...('claim' in cause ? { claim: cause.claim } : {}) } };
}

/** Requests outside the contract, such as a probe every few seconds, matter only when they fail. */
function levelOf(status: number, operation: string | undefined): 'error' | 'warn' | 'info' | 'debug' {
  if (isFault(status)) return 'error';
  if (status === 503) return 'warn';
  return operation === undefined && status < 400 ? 'debug' : 'info';
}
