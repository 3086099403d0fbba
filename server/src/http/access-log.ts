import { performance } from 'node:perf_hooks';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { FairLimit } from '../limits/fair-limit.ts';
import { reasonsOf } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { requestIdFrom, type RequestState } from './request/request-state.ts';

// A line for each rejected request would add to the load.
const rejectionIntervalMs = 1000;

/** Gives each request its id, and logs and measures the request when it has been answered. */
export function accessLog(logger: Logger, { requests, requestSeconds }: Metrics): Middleware<RequestState> {
  let nextRejectionMs = 0;
  return async (ctx, next) => {
    const startedMs = performance.now();
    const { state } = ctx;
    state.requestId = requestIdFrom(ctx.get('X-Request-Id'));
    ctx.res.setHeader('X-Request-Id', state.requestId);

    await next();

    const { method, path } = ctx;
    const { requestId, operation, caller, logged, isProbe, error } = state;
    const { cause } = Object(error) as { readonly cause?: unknown };
    const { outcome: status = ctx.status } = state;
    const nowMs = performance.now();
    const ms = nowMs - startedMs;
    const label = { operation: operation ?? (isProbe === true ? 'probe' : 'none') };
    requests.inc({ ...label, status });
    // Most rejections are delayed, so their times are not response times.
    if (!(cause instanceof FairLimit)) requestSeconds.observe(label, ms / 1000);
    else if (nowMs < nextRejectionMs) return;
    else nextRejectionMs = nowMs + rejectionIntervalMs;
    logger[levelOf(status, operation)]({
      request_id: requestId,
      ...parseTraceparent(ctx.get('traceparent')),
      method,
      // Shortened, because everybody who has the whole address of a chart can see the chart.
      path: path.replace(/(\/viz\/links\/.{16}).+/, '$1…'),
      operation,
      user: caller?.id,
      status,
      ...logged,
      ms: Math.round(ms * 10) / 10,
      ...(isFault(status) ? { err: error } : {}),
      ...(status === 503 ? rejectionReason(cause) : {}),
      ...(status === 401 ? tokenRefusal(error) : {}),
    });
  };
}

/** Logs a response that broke off. A disconnected client is not an error, and its request already has a log line. */
export function logBrokenResponse(logger: Logger): (error: Error, ctx: Context) => void {
  return (error, ctx) => {
    if ('code' in error && disconnections.has(error.code)) return;
    const { requestId, operation, caller } = ctx.state as RequestState;
    logger.warn({ request_id: requestId, operation, user: caller?.id, err: error }, 'a response broke off');
  };
}

const disconnections: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** A 503 is caused by overload, and a 501 by the request. Logging a stack for each would add to the load. */
function isFault(status: number): boolean {
  return status >= 500 && status !== 503 && status !== 501;
}

/**
 * The limit that rejected a request, and the users who hold most of it. If no limit rejected the request, the reason
 * for the failure, without a stack.
 */
function rejectionReason(cause: unknown): object {
  if (cause instanceof FairLimit) return { limit: cause.name, holders: cause.largestHolders() };
  return cause === undefined ? {} : { reason: reasonsOf(cause) };
}

/**
 * The check that refused a token, and the claim. The message is left out, because it may repeat parts of the token. An
 * error without a code is about a key, for example a key that is too short, so its message is logged.
 */
function tokenRefusal(error: unknown): { refusal?: object } {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return {};
  if (!('code' in cause)) return { refusal: { reason: cause.message } };
  return { refusal: { code: cause.code, ...('claim' in cause ? { claim: cause.claim } : {}) } };
}

/** Successful requests outside the contract have the level `debug`, because a probe may come every few seconds. */
function levelOf(status: number, operation: string | undefined): 'error' | 'warn' | 'info' | 'debug' {
  if (isFault(status)) return 'error';
  if (status === 503) return 'warn';
  return operation === undefined && status < 400 ? 'debug' : 'info';
}

/** The trace of a request and the span of its client, from a `traceparent` header (W3C Trace Context, section 3.2). */
function parseTraceparent(header: string): { trace_id?: string; parent_id?: string } {
  return { .../^[\da-f]{2}-(?<trace_id>[\da-f]{32})-(?<parent_id>[\da-f]{16})-/.exec(header)?.groups };
}
