import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from './auth/tokens.ts';
import { accessLog, logBrokenResponse } from './http/access-log.ts';
import { createDispatch } from './http/dispatch.ts';
import { mcp } from './http/mcp/mcp.ts';
import { resourceMetadata, resourceMetadataUrl } from './http/mcp/resource-metadata.ts';
import { createToolServers } from './http/mcp/tool-server.ts';
import type { Contract } from './http/openapi/contract.ts';
import type { ByteBudget } from './http/overload/byte-budget.ts';
import type { CapacityChecks } from './http/overload/capacity.ts';
import type { ConsumeRateLimits } from './http/overload/rate-limit.ts';
import type { ResponseBufferLimit } from './http/overload/response-buffer-limit.ts';
import { probes } from './http/probes.ts';
import { referencePage } from './http/reference-page.ts';
import { createBodyReader } from './http/request/body.ts';
import type { RequestState } from './http/request/request-state.ts';
import { cors } from './http/response/cors.ts';
import { errorHandler } from './http/response/error-handler.ts';
import { setSecurityHeaders } from './http/response/security-headers.ts';
import type { RunOperation } from './http/run-operation.ts';
import type { Metrics } from './metrics.ts';
import { operations } from './operations.ts';

interface AppOptions {
  readonly contract: Contract;
  readonly run: RunOperation;
  readonly verify: VerifyToken;
  readonly consumeRateLimits: ConsumeRateLimits;
  readonly capacity: CapacityChecks;
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly checkReadiness: () => Promise<string | undefined>;
  readonly corsOrigins: readonly string[];
  readonly publicUrl: string | undefined;
  /** The issuer of the tokens, if there is one. */
  readonly issuer: string | undefined;
  /** Whether MCP has a tool that deletes tasks. */
  readonly mayDelete: boolean;
}

/** The Koa middleware, in the order in which a request passes through it. */
export function createApp({
  logger,
  metrics,
  corsOrigins,
  requestBuffers,
  ...options
}: AppOptions): Koa<RequestState> {
  // One for all requests, because large bodies are parsed one after the other.
  const readBody = createBodyReader(requestBuffers);
  const app = new Koa<RequestState>();
  app.on('error', logBrokenResponse(logger));
  app.use(accessLog(logger, metrics));
  app.use(setSecurityHeaders());
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(errorHandler());
  app.use(probes({ ...options, metrics }));
  app.use(referencePage());
  app.use(resourceMetadata(options));
  app.use(
    mcp({
      ...options,
      ...{ corsOrigins, logger, readBody },
      createServer: createToolServers(options),
      resourceMetadataUrl: resourceMetadataUrl(options),
    }),
  );
  app.use(createDispatch({ ...options, operations, readBody }));
  return app;
}
