import type { Logger } from 'pino';
import { findAgentName } from './agents/agent-store.ts';
import type { RunningAgents } from './agents/start.ts';
import { createApp } from './app.ts';
import { verifyingKeys } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import type { Config } from './config/config.ts';
import type { Contract } from './contract/contract.ts';
import type { Database } from './db/database.ts';
import { openRateLimitStore } from './db/rate-limit-store.ts';
import { createReadiness } from './db/readiness.ts';
import { listen, type Listener } from './http/listener/listener.ts';
import { createRawProblems } from './http/response/raw-problem.ts';
import { FairQueue } from './limits/fair-queue.ts';
import type { Limits } from './limits/limits.ts';
import { createRateLimits } from './limits/rate-limit.ts';
import { registerReadiness } from './gauges.ts';
import { logTransitions } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ChangeFeed } from './tasks/changes/change-feed.ts';
import type { RenderPool } from './viz/render-pool.ts';

interface HttpServerOptions {
  readonly limits: Limits;
  readonly database: Database;
  readonly contract: Contract;
  readonly renderPool: RenderPool;
  readonly agents: RunningAgents;
  readonly changeFeed: ChangeFeed;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Aborts when the server begins to shut down. */
  readonly stopping: AbortSignal;
}

/** Listens for HTTP, and answers by the Koa app. */
export async function serveHttp(config: Config, options: HttpServerOptions): Promise<Listener> {
  const { database, contract, renderPool, agents, changeFeed, limits, logger, metrics, stopping } = options;
  const { db, engine, searchBytesMax } = database;
  const { corsOrigins, metricsToken, publicUrl } = config;
  const tasks = { db, findAgentName, searchBytesMax };
  const services = { ...tasks, changeFeed, renderPool, agents: agents.services };
  const searches = new FairQueue({ limit: limits.searches, waitMs: config.database.poolWaitMs });
  const rateLimitStore = engine === 'Postgres' ? openRateLimitStore(db) : undefined;
  const keys = await verifyingKeys(config.tokens, config.dataDir);
  const remoteKeys = keys[0]?.remote;
  const checkReadiness = createReadiness(
    { database, remoteKeys, stopping },
    logTransitions(logger, { failed: 'the server is not ready', recovered: 'the server is ready again' }),
  );
  registerReadiness(metrics.registry, checkReadiness);
  const { verify, findVerified } = createVerifier(keys, config.tokens, logKeys(logger, remoteKeys?.name));
  const app = createApp({
    contract,
    logger,
    metrics,
    metricsToken,
    corsOrigins,
    publicUrl,
    services,
    limits,
    searches,
    verify,
    findVerified,
    checkReadiness,
    issuer: config.tokens.issuer,
    mayDelete: config.mcpMayDelete,
    countRequest: createRateLimits(config.agents.limits, rateLimitStore, searches),
  });
  return listen(app.callback(), config.listener, {
    writeProblem: createRawProblems(corsOrigins),
    onRefused: (status) => {
      metrics.refusedConnections.inc({ status });
    },
  });
}

function logKeys(logger: Logger, source = 'the keys'): (failure: unknown) => void {
  return logTransitions(logger, {
    failed: `cannot fetch ${source}; new tokens cannot be verified`,
    recovered: `${source} can be fetched again`,
  });
}
