import type { Logger } from 'pino';
import { findAgentName } from './agents/agent-store.ts';
import { startAgents, type RunningAgents } from './agents/start.ts';
import type { Config } from './config.ts';
import { migrateDatabase, openDatabase, startFailure, type Database } from './db/database.ts';
import { startCleanup } from './db/idempotency-keys.ts';
import { registerGauges } from './gauges.ts';
import type { Listener } from './http/listener/listener.ts';
import { openContract, type Contract } from './http/openapi/contract.ts';
import { createInProcessClient } from './http/openapi/in-process-client.ts';
import { createByteBudget } from './http/overload/byte-budget.ts';
import { createConcurrencyLimit } from './http/overload/concurrency-limit.ts';
import { createResponseBufferLimit } from './http/overload/response-buffer-limit.ts';
import { serveHttp } from './http-server.ts';
import { createLogger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { isTool, toolOperations, type ToolServices } from './operations.ts';
import { RenderPool } from './viz/render-pool.ts';

export interface RunningServer {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly engine: Database['engine'];
  /** Stops accepting, answers the requests in flight and closes the database. */
  close(): Promise<void>;
}

/** Opens and migrates the database, then listens. A start that fails closes what it has opened. */
export async function start(
  config: Config,
  logger: Logger = createLogger(config.logLevel),
): Promise<RunningServer> {
  // What is deferred first is closed last.
  const opened = new AsyncDisposableStack();
  try {
    const server = await open(config, { opened, logger });
    return { ...server, close: () => closeAndLog(opened, logger) };
  } catch (error) {
    // The reason for the failed start matters more than what then could not be closed.
    await opened.disposeAsync().catch((err: unknown) => {
      logger.warn({ err }, 'part of a failed start could not be closed');
    });
    throw startFailure(error, config);
  }
}

interface StartContext {
  readonly opened: AsyncDisposableStack;
  readonly logger: Logger;
}

async function open(
  config: Config,
  { opened, logger }: StartContext,
): Promise<Pick<RunningServer, 'url' | 'engine'>> {
  const database = await openDatabase(config, (error) => {
    logger.warn({ err: error }, 'a database connection broke and is replaced');
  });
  opened.defer(() => database.close());
  await migrateDatabase(config, database);
  opened.defer(startKeyCleanup(database, logger));
  const metrics = createMetrics();
  const renderPool = createRenderPool(config, { logger, metrics });
  opened.defer(() => renderPool.close());
  const shared = { database, contract: await openContract(), renderPool, logger, metrics };
  const agents = await openAgents(config, shared);
  opened.defer(() => agents.close());
  const limits = {
    concurrencyLimit: createConcurrencyLimit(config.concurrentRequestsMax),
    requestBuffers: createByteBudget(config.bufferedRequestBytesMax),
    responseBuffers: createResponseBufferLimit(config.bufferedResponseBytesMax),
  };
  registerGauges(metrics.registry, { ...shared, ...limits, agents });
  const stopping = new AbortController();
  const listener = await serveHttp(config, { ...shared, ...limits, agents, stopping: stopping.signal });
  opened.defer(() => {
    stopping.abort();
    return closeListener(listener, agents, config.listener);
  });
  return { url: listener.url, engine: database.engine };
}

async function closeAndLog(opened: AsyncDisposableStack, logger: Logger): Promise<void> {
  logger.info('shutdown requested');
  await opened.disposeAsync();
  logger.info('shutdown complete');
}

interface Shared {
  readonly database: Database;
  readonly contract: Contract;
  readonly renderPool: RenderPool;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

function createRenderPool(
  { charts }: Config,
  { logger, metrics }: Pick<Shared, 'logger' | 'metrics'>,
): RenderPool {
  return new RenderPool({
    ...charts,
    onExit: (reason) => {
      metrics.workerExits.inc();
      logger.warn({ reason }, 'a render process has exited and is replaced');
    },
    onMissing: (letters) => {
      logger.warn({ letters }, 'no installed font has these characters, so charts show boxes');
    },
  });
}

/** Agents use the operations on tasks and charts that HTTP requests reach. */
function openAgents(
  config: Config,
  { database, contract, renderPool, logger, metrics }: Shared,
): Promise<RunningAgents> {
  const services = { pipeline: database.pipeline, findAgentName, renderPool };
  return startAgents({
    config: config.agents,
    database,
    callOperation: createInProcessClient<ToolServices>(contract, toolOperations, services),
    hasOperation: isTool,
    logger,
    onRunFinished: (outcome) => {
      metrics.runs.inc({ outcome });
    },
  });
}

/**
 * Answers the requests in flight. Requests that wait for a run are answered 202 halfway through, and the run continues in
 * another process.
 */
async function closeListener(
  listener: Listener,
  agents: RunningAgents,
  { shutdownDelayMs, shutdownTimeoutMs }: Config['listener'],
): Promise<void> {
  const draining = setTimeout(
    () => {
      agents.drain();
    },
    shutdownDelayMs + shutdownTimeoutMs / 2,
  );
  await listener.close();
  clearTimeout(draining);
}

function startKeyCleanup({ db }: Database, logger: Logger): () => Promise<void> {
  return startCleanup(db, (error) => {
    logger.warn(
      { err: error },
      'expired idempotency keys could not be deleted; the next attempt is in an hour',
    );
  });
}
