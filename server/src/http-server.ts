import type { Logger } from 'pino';
import { findAgentName } from './agents/agent-store.ts';
import type { RunningAgents } from './agents/start.ts';
import { createApp } from './app.ts';
import { verifyingKeys } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { openRateLimitStore } from './db/rate-limit-store.ts';
import { createReadiness } from './db/readiness.ts';
import { listen, type Listener } from './http/listener/listener.ts';
import type { Contract } from './http/openapi/contract.ts';
import { createCapacityChecks } from './http/overload/capacity.ts';
import type { Limits } from './http/overload/limits.ts';
import { createFindRejection } from './http/overload/find-rejection.ts';
import { createLoadShedder } from './http/overload/load-shedder.ts';
import { createRateLimits } from './http/overload/rate-limit.ts';
import { createRunner } from './http/run-operation.ts';
import { registerReadiness } from './gauges.ts';
import { logTransitions } from './log.ts';
import type { Metrics } from './metrics.ts';
import { operations } from './operations.ts';
import type { ChangeFeed } from './tasks/changes/change-feed.ts';
import type { RenderPool } from './viz/render-pool.ts';

interface HttpServerOptions extends Limits {
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

/** Listens for HTTP: the load shedder in front, the Koa app behind it. */
export async function serveHttp(config: Config, options: HttpServerOptions): Promise<Listener> {
  const { database, contract, renderPool, agents, changeFeed, logger, metrics, stopping } = options;
  const { concurrencyLimit, runPerCaller, requestBuffers, responseBuffers } = options;
  const { db, engine, searchBytesMax } = database;
  const { corsOrigins, metricsToken, publicUrl } = config;
  const tasks = { db, findAgentName, searchBytesMax };
  const services = { ...tasks, changeFeed, renderPool, agents: agents.services };
  const capacity = createCapacityChecks(operations, services, options);
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
    capacity,
    requestBuffers,
    responseBuffers,
    verify,
    checkReadiness,
    issuer: config.tokens.issuer,
    mayDelete: config.mcp.mayDelete,
    run: createRunner({ operations, services, concurrencyLimit, runPerCaller }),
    consumeRateLimits: createRateLimits(config.agents.limits, rateLimitStore, runPerCaller),
  });
  const findRejection = createFindRejection({ contract, capacity, findVerified });
  const answer = createLoadShedder({ findRejection, logger, metrics, corsOrigins }, app.callback());
  return listen(answer, config.listener, (status) => {
    metrics.refusedConnections.inc({ status });
  });
}

function logKeys(logger: Logger, source = 'the keys'): (failure: unknown) => void {
  return logTransitions(logger, {
    failed: `cannot fetch ${source}; new tokens cannot be verified`,
    recovered: `${source} can be fetched again`,
  });
}
