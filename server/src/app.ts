import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from './auth/tokens.ts';
import type { Contract } from './contract/contract.ts';
import { accessLog, logBrokenResponse } from './http/access-log.ts';
import { createRequestHandler } from './http/handle-request.ts';
import { mcp } from './http/mcp/mcp.ts';
import { resourceMetadata, resourceMetadataUrl } from './http/mcp/resource-metadata.ts';
import { createToolServers } from './http/mcp/tool-server.ts';
import { serveOperations } from './http/operations.ts';
import { probes } from './http/probes.ts';
import { referencePage } from './http/reference-page.ts';
import { createBodyReader } from './http/request/body.ts';
import type { RequestState } from './http/request/request-state.ts';
import { cors } from './http/response/cors.ts';
import { errorHandler } from './http/response/error-handler.ts';
import { setSecurityHeaders } from './http/response/security-headers.ts';
import { FairQueue } from './limits/fair-queue.ts';
import type { Limits } from './limits/limits.ts';
import { shedLoad } from './http/load-shedder.ts';
import type { CountRequest } from './limits/rate-limit.ts';
import type { Metrics } from './metrics.ts';
import type { Principal } from './operation.ts';
import { operations, type Services } from './operations.ts';

interface AppOptions {
  readonly contract: Contract;
  readonly services: Services;
  readonly limits: Limits;
  /** Runs searches, and the statements that count requests. */
  readonly searches: FairQueue;
  readonly countRequest: CountRequest;
  readonly verify: VerifyToken;
  /** The caller of a token that was verified before. */
  readonly findVerified: (token: string) => Principal | undefined;
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
export function createApp({ logger, metrics, corsOrigins, ...options }: AppOptions): Koa<RequestState> {
  const { limits } = options;
  // One for all requests, because large bodies are parsed one after the other.
  const readBody = createBodyReader(limits.bodies);
  const handleRequest = createRequestHandler({ ...options, operations });
  const app = new Koa<RequestState>();
  app.on('error', logBrokenResponse(logger));
  app.use(accessLog(logger, metrics));
  app.use(setSecurityHeaders());
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(errorHandler(operations));
  app.use(shedLoad({ ...options, operations }));
  app.use(probes({ ...options, metrics }));
  app.use(referencePage());
  app.use(resourceMetadata(options));
  app.use(
    mcp({
      ...options,
      ...{ corsOrigins, logger, readBody, responses: limits.responses },
      createServer: createToolServers({ ...options, handleRequest }),
      resourceMetadataUrl: resourceMetadataUrl(options),
    }),
  );
  app.use(
    serveOperations({
      ...options,
      operations,
      readBody,
      handleRequest,
      responses: limits.responses,
    }),
  );
  return app;
}
