import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/contract.ts';
import type { Readiness } from '../db/readiness.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { Limits } from '../limits/limits.ts';
import type { CountRequest } from '../limits/rate-limit.ts';
import type { Metrics } from '../ops/metrics.ts';
import { operations, type Services } from '../contract/registry.ts';
import { Admission } from './admission.ts';
import { accessLog, logBrokenResponse } from './access-log.ts';
import { mcp } from './mcp/mcp.ts';
import { resourceMetadata, resourceMetadataUrl } from './mcp/resource-metadata.ts';
import { createToolServers } from './mcp/tool-server.ts';
import { serveOperations } from './serve-operations.ts';
import { createPipeline } from './pipeline.ts';
import { probes } from './probes.ts';
import { referencePage } from './reference-page.ts';
import { checkHead } from './request/check-head.ts';
import type { RequestState } from './request/request-state.ts';
import { cors } from './response/cors.ts';
import { errorHandler } from './response/error-handler.ts';
import { setSecurityHeaders } from './response/security-headers.ts';

interface AppOptions {
  readonly verify: VerifyToken;
  readonly contract: Contract;
  readonly services: Services;
  readonly limits: Limits;
  /** Runs the requests in turn. */
  readonly queue: FairQueue;
  readonly countRequest: CountRequest;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly checkReadiness: () => Promise<Readiness>;
  /** Aborts when the shutdown begins. */
  readonly stopping: AbortSignal;
}

/** The Koa middleware, in the order in which a request passes through it. */
export function createApp(config: Config, options: AppOptions): Koa<RequestState> {
  const { corsOrigins, publicUrl, mcpScopes } = config;
  const { contract, limits, logger, metrics, stopping } = options;
  const resource = { publicUrl, issuer: config.tokens.issuer, scopes: mcpScopes };
  const admission = new Admission(limits);
  const { loopTime } = limits;
  const pipeline = createPipeline({ ...options, operations, admission, loopTime });
  const app = new Koa<RequestState>();
  app.on('error', logBrokenResponse(logger));
  app.use(accessLog(logger, metrics));
  app.use(setSecurityHeaders());
  app.use(async (ctx, next) => {
    await next();
    // A client that keeps its connection open would prevent the end of the server.
    if (stopping.aborted) ctx.set('Connection', 'close');
  });
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(errorHandler(operations, admission));
  app.use(checkHead(config.listener.hosts));
  app.use(probes(options));
  app.use(referencePage(admission));
  app.use(resourceMetadata(resource));
  app.use(
    mcp({
      ...options,
      origins: [...corsOrigins, ...(publicUrl === undefined ? [] : [publicUrl])],
      admission,
      createServer: createToolServers({ contract, ...pipeline }),
      resourceMetadataUrl: resourceMetadataUrl(resource),
    }),
  );
  app.use(serveOperations(contract, pipeline));
  return app;
}
