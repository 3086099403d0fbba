import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from './auth/tokens.ts';
import { accessLog } from './http/access-log.ts';
import { createDispatch } from './http/dispatch.ts';
import type { Contract } from './http/openapi/contract.ts';
import type { ByteBudget } from './http/overload/byte-budget.ts';
import type { ConcurrencyLimit } from './http/overload/concurrency-limit.ts';
import type { CountRequest } from './http/overload/rate-limit.ts';
import type { ResponseBufferLimit } from './http/overload/response-buffer-limit.ts';
import { probes } from './http/probes.ts';
import { referencePage } from './http/reference-page.ts';
import type { RequestState } from './http/request/request-state.ts';
import { cors } from './http/response/cors.ts';
import { errorHandler } from './http/response/error-handler.ts';
import { setSecurityHeaders } from './http/response/security-headers.ts';
import type { Metrics } from './metrics.ts';
import { operations, type Services } from './operations.ts';

interface AppOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly verify: VerifyToken;
  readonly countRequest: CountRequest;
  readonly isOverloaded: () => boolean;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly checkReadiness: () => Promise<string | undefined>;
  readonly corsOrigins: readonly string[];
}

/** The Koa middleware, in the order in which a request passes through it. */
export function createApp({ logger, metrics, corsOrigins, ...options }: AppOptions): Koa<RequestState> {
  const app = new Koa<RequestState>();
  // The connection broke while the response was written, so no client is left to answer.
  app.on('error', (error: Error) => {
    logger.warn({ err: error }, 'a response could not be written');
  });
  app.use(accessLog(logger, metrics));
  app.use(setSecurityHeaders());
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(errorHandler());
  app.use(probes({ ...options, metrics }));
  app.use(referencePage());
  app.use(createDispatch({ ...options, operations }));
  return app;
}
