import type { Logger } from 'pino';
import { findAgentName } from './agents/agent-store.ts';
import type { RunningAgents } from './agents/start.ts';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { openRateLimitStore } from './db/rate-limit-store.ts';
import { createReadiness } from './db/readiness.ts';
import { listen, type Listener } from './http/listener/listener.ts';
import type { Contract } from './http/openapi/contract.ts';
import type { ByteBudget } from './http/overload/byte-budget.ts';
import type { ConcurrencyLimit } from './http/overload/concurrency-limit.ts';
import { createLoadShedder } from './http/overload/load-shedder.ts';
import { createRateLimits } from './http/overload/rate-limit.ts';
import type { ResponseBufferLimit } from './http/overload/response-buffer-limit.ts';
import { logTransitions } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RenderPool } from './viz/render-pool.ts';

interface HttpServerOptions {
  readonly database: Database;
  readonly contract: Contract;
  readonly renderPool: RenderPool;
  readonly agents: RunningAgents;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly requestBuffers: ByteBudget;
  readonly responseBuffers: ResponseBufferLimit;
  /** Aborts when the server begins to shut down. */
  readonly stopping: AbortSignal;
}

/** Listens for HTTP: the load shedder in front, the Koa app behind it. */
export async function serveHttp(config: Config, options: HttpServerOptions): Promise<Listener> {
  const { database, contract, renderPool, agents, logger, metrics, stopping } = options;
  const { concurrencyLimit, requestBuffers, responseBuffers } = options;
  const { db, pipeline, engine } = database;
  const { corsOrigins, metricsToken } = config;
  const isOverloaded = (): boolean => concurrencyLimit.isFull() || responseBuffers.isFull();
  const rateLimitStore = engine === 'Postgres' ? openRateLimitStore(db) : undefined;
  const app = createApp({
    ...{ contract, logger, metrics, metricsToken, corsOrigins, isOverloaded },
    ...{ concurrencyLimit, requestBuffers, responseBuffers },
    services: { db, pipeline, findAgentName, renderPool, agents: agents.agents },
    countRequest: createRateLimits(config.agents.limits, rateLimitStore),
    verify: createVerifier(
      await verifyingKey(config.tokens, config.dataDir),
      config.tokens,
      logTransitions(logger, {
        failed: 'cannot fetch JWKS_URL; new tokens cannot be verified',
        recovered: 'JWKS_URL can be fetched again',
      }),
    ),
    checkReadiness: createReadiness(
      db,
      stopping,
      logTransitions(logger, { failed: 'the server is not ready', recovered: 'the server is ready again' }),
    ),
  });
  const answer = createLoadShedder({ isOverloaded, contract, logger, metrics, corsOrigins }, app.callback());
  return listen(answer, config.listener, (status) => {
    metrics.refusedConnections.inc({ status });
  });
}
