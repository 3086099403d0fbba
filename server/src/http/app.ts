import Koa from 'koa';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../ops/metrics.ts';
import { operations } from '../contract/registry.ts';
import { admission } from './place.ts';
import { accessLog, logBrokenResponse } from './access-log.ts';
import { mcp } from './mcp/mcp.ts';
import { createToolServers } from './mcp/tool-server.ts';
import { serveOperations, servePages } from './routes.ts';
import { createPipeline, type PipelineOptions } from './pipeline.ts';
import { probes } from './probes.ts';
import { referencePage } from './reference-page.ts';
import { checkHead } from './request/check-head.ts';
import type { RequestState } from './request/request-state.ts';
import { cors } from './response/cors.ts';
import { errorHandler } from './response/error-handler.ts';

interface AppOptions extends PipelineOptions {
  readonly limits: Limits;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkReadiness: () => Promise<Error | undefined>;
  /** Aborts when the shutdown begins. */
  readonly stopping: AbortSignal;
}

/** The Koa middleware, in the order in which a request passes through it. */
export function createApp(config: Config, options: AppOptions): Koa<RequestState> {
  const { corsOrigins } = config;
  const { contract, limits, logger, metrics, stopping } = options;
  const pipeline = createPipeline(options);
  const app = new Koa<RequestState>();
  app.on('error', logBrokenResponse(logger));
  app.use(accessLog(logger, metrics));
  app.use(async (ctx, next) => {
    ctx.res.setHeaders(securityHeaders);
    await next();
    // Otherwise, a client that keeps sending requests on its connection would delay the end of the server.
    if (stopping.aborted) ctx.set('Connection', 'close');
  });
  app.use(admission(limits));
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(errorHandler(operations));
  app.use(checkHead);
  app.use(
    servePages({
      ...probes(options.checkReadiness, metrics),
      ...referencePage(),
      ...mcp(config, createToolServers(contract, pipeline), options),
    }),
  );
  app.use(serveOperations(contract, pipeline));
  return app;
}

/**
 * The headers of every response (OWASP HTTP Headers Cheat Sheet). Responses are data, so a browser that opens one must
 * not load anything, guess a type or show it in a frame. The reference page sets its own content security policy.
 */
const securityHeaders = new Map(
  Object.entries({
    'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    // `includeSubDomains` is left out, because other hosts of the domain may not serve TLS.
    'Strict-Transport-Security': 'max-age=31536000',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  }),
);
