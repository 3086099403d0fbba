import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { findAgent } from './agents/agent-store.ts';
import { startAgents, type RunningAgents } from './agents/start.ts';
import { verifyingKeys } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import { databaseChecks, findingsOf, logFindings } from './ops/checks.ts';
import type { Config } from './config/config.ts';
import { openContract, type Contract } from './contract/contract.ts';
import { createInProcessClient } from './contract/in-process-client.ts';
import { isDistributed } from './db/citus.ts';
import { migrateDatabase, openDatabase, startFailure, type Database } from './db/database.ts';
import { readChartLinkKey } from './db/chart-link-key.ts';
import { startCleanup } from './db/cleanup.ts';
import { serverMigrations } from './db/migrate.ts';
import { createReadiness } from './db/readiness.ts';
import { registerGauges, registerHealth } from './ops/gauges.ts';
import { createApp } from './http/app.ts';
import { listen, type Listener } from './http/listener.ts';
import { FairQueue } from './limits/fair-queue.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { createRateLimits } from './limits/rate-limit.ts';
import { createLogger, logOutage, logTransitions } from './ops/log.ts';
import { agentObserver, countDroppedLines, createMetrics, type Metrics } from './ops/metrics.ts';
import {
  operationIds,
  operations,
  toolOperations,
  type Services,
  type ToolServices,
} from './contract/registry.ts';
import { expirations } from './ops/retention.ts';
import { createChangeFeed } from './tasks/changes/change-feed.ts';
import { createTaskStatements } from './tasks/handlers.ts';
import { agentTools } from './tools/catalogue.ts';
import { operationTool } from './tools/operation-tool.ts';
import { RenderPool } from './viz/render-pool.ts';

export interface RunningServer {
  /** The address with the actual port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting connections, answers the requests in flight and closes the database. */
  close(): Promise<void>;
}

/** Opens and migrates the database, then listens. If this fails, closes what was opened. */
export async function start(
  config: Config,
  logger: Logger = createLogger(config.logLevel),
): Promise<RunningServer> {
  // Closed in the opposite order.
  const opened = new AsyncDisposableStack();
  try {
    const url = await open(config, opened, logger);
    return { url, close: () => close(opened, logger, config.listener) };
  } catch (error) {
    // Report the failed start rather than a failure to close.
    await opened.disposeAsync().catch((err: unknown) => {
      logger.warn({ err }, 'part of a failed start could not be closed');
    });
    throw startFailure(error, config);
  }
}

/** What the parts of the server may need. */
interface Parts {
  readonly database: Database;
  readonly contract: Contract;
  readonly renderPool: RenderPool;
  readonly limits: Limits;
  readonly queue: FairQueue;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

async function open(config: Config, opened: AsyncDisposableStack, logger: Logger): Promise<string> {
  const contract = await openContract(operations);
  const metrics = createMetrics({ operationIds, contract, agents: config.agents });
  opened.defer(countDroppedLines(metrics));
  const database = await openMigrated(config, opened, { logger, metrics });
  const limits = createLimits(config);
  const queue = new FairQueue({ ...limits, waitMs: config.database.poolWaitMs });
  const renderPool = new RenderPool({
    workers: config.charts.workers,
    waiting: limits.pictures,
    onPainted: (format, seconds) => {
      metrics.renderSeconds.observe({ format }, seconds);
    },
    onExit: (reason) => {
      metrics.workerExits.inc();
      logger.warn({ reason }, 'a render process has exited and is replaced');
    },
    onMissing: (characters) => {
      logger.warn({ characters }, 'no installed font has these characters, so charts show boxes');
    },
  });
  opened.defer(() => renderPool.close());
  const parts = { database, contract, renderPool, limits, queue, logger, metrics };
  const { db, searchBytesMax } = database;
  const cluster = { db, isDistributed: await isDistributed(db) };
  const tasks = { ...createTaskStatements(cluster), tasksMax: config.tasksPerUserMax, findAgent };
  const charts = { renderPool, linkKey: await readChartLinkKey(db), publicUrl: config.publicUrl };
  const toolServices = { ...tasks, ...charts, searchBytesMax };
  const agents = await startAgentsWithTools(config, parts, toolServices);
  opened.defer(() => agents.close());
  const changeFeed = createChangeFeed({ ...cluster, streams: limits.longPlaces, queue, logger });
  registerGauges(metrics.registry, { config, ...parts, agents });
  const services = { ...toolServices, changeFeed, rateLimits: config.agents.limits, ...agents.services };
  const stopping = new AbortController();
  const listener = await serveHttp(config, parts, services, stopping.signal);
  // Streams of changes end as soon as clients can no longer reach this server. After half of the timeout, requests that
  // wait for a run get 202, and another process continues the run. Requests that wait for their turn get 503.
  opened.defer(async () => {
    stopping.abort();
    const { shutdownDelayMs, shutdownTimeoutMs } = config.listener;
    const timers = [
      setTimeout(changeFeed.close, shutdownDelayMs),
      setTimeout(agents.drain, shutdownDelayMs + shutdownTimeoutMs / 2),
      setTimeout(queue.close, shutdownDelayMs + shutdownTimeoutMs / 2),
    ];
    await listener.close();
    timers.forEach(clearTimeout);
  });
  await logFindings(logger, findingsOf(databaseChecks, config, database));
  return listener.url;
}

async function openMigrated(
  config: Config,
  opened: AsyncDisposableStack,
  { logger, metrics }: Pick<Parts, 'logger' | 'metrics'>,
): Promise<Database> {
  const database = await openDatabase(config, {
    mayCreate: true,
    onOutage: logOutage(logger, {
      failed: 'the database fails; further errors are not logged until it works again',
      recovered: 'the database has not failed for ten seconds',
    }),
    onStatement: (seconds) => {
      metrics.statementSeconds.observe(seconds);
    },
  });
  opened.defer(() => database.close());
  const migrations = await migrateDatabase(config, database, logger.warn.bind(logger));
  if (migrations.length === Object.keys(serverMigrations).length)
    logger.info('the database was empty: its tables were created');
  opened.defer(
    startCleanup(expirations(database.db, config.retention), (err) => {
      logger.warn({ err }, 'expired rows could not be deleted; the next attempt is in an hour');
    }),
  );
  return database;
}

/** Agents call the same operations on tasks and charts as HTTP requests. */
function startAgentsWithTools(
  config: Config,
  { database, contract, limits, queue, logger, metrics }: Parts,
  services: ToolServices,
): Promise<RunningAgents> {
  return startAgents({
    config: config.agents,
    database,
    ...createInProcessClient<ToolServices, keyof typeof toolOperations>(contract, toolOperations, services),
    tools: agentTools.map((entry) => operationTool(entry, contract.operation(entry.operation), 'agent')),
    waiters: limits.longPlaces,
    requestQueue: queue,
    logger,
    ...agentObserver(metrics),
  });
}

/** Listens, and answers with the Koa app. `stopping` aborts when the shutdown begins. */
async function serveHttp(
  config: Config,
  parts: Parts,
  services: Services,
  stopping: AbortSignal,
): Promise<Listener> {
  const { database, queue, logger, metrics } = parts;
  const onFetched = logTransitions(logger, {
    failed: 'the keys of the issuer cannot be fetched; those that were fetched stay valid for an hour',
    recovered: 'the keys of the issuer can be fetched again',
  });
  const keys = await verifyingKeys(config.tokens, config.dataDir, onFetched);
  const remoteKeys = keys[0]?.remote;
  // Fetched before the first token arrives. A failure is logged by `onFetched`.
  void remoteKeys?.check().catch(() => undefined);
  const checkReadiness = createReadiness(
    { database, remoteKeys, stopping },
    logTransitions(logger, { failed: 'the server is not ready', recovered: 'the server is ready again' }),
  );
  registerHealth(metrics.registry, checkReadiness, remoteKeys);
  const app = createApp(config, {
    ...parts,
    verify: createVerifier(keys, config.tokens),
    services,
    checkReadiness,
    stopping,
    countRequest: createRateLimits(config.agents.limits, database.db, queue),
  });
  return listen(app.callback(), config.listener);
}

// A database that does not respond would delay the exit. Every acknowledged write is already committed.
const closeMs = 8_000;

/** Closes in the opposite order of opening. Logs when this is complete, or has taken too long. */
async function close(
  opened: AsyncDisposableStack,
  logger: Logger,
  { shutdownDelayMs, shutdownTimeoutMs }: Config['listener'],
): Promise<void> {
  logger.info('shutdown requested');
  const closed = opened.disposeAsync().then(() => true);
  const limitMs = shutdownDelayMs + shutdownTimeoutMs + closeMs;
  if (await Promise.race([closed, pause(limitMs, false, { ref: false })])) logger.info('shutdown complete');
  else logger.warn('shutdown cut off: it took too long');
}
