import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { findAgent } from './agents/agent-store.ts';
import { startAgents } from './agents/start.ts';
import type { VerifyingKeys } from './auth/issuer-keys.ts';
import { verifyingKeys } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import { databaseChecks, logFindings } from './ops/checks.ts';
import type { Config, ListenerConfig } from './config/config.ts';
import { openContract } from './contract/contract.ts';
import { createInProcessClient } from './contract/in-process-client.ts';
import { isDistributed } from './db/citus.ts';
import { migrateDatabase, openDatabase, startFailure, type Database } from './db/database.ts';
import { readChartLinkKey, serverMigrations } from './db/migrate.ts';
import { createReadiness } from './db/readiness.ts';
import { assertSessionSettings } from './db/session-settings.ts';
import { registerGauges } from './ops/gauges.ts';
import { createApp } from './http/app.ts';
import { assertCanListen, listen } from './http/listener.ts';
import { FairQueue } from './limits/fair-queue.ts';
import { createLimits } from './limits/limits.ts';
import { logOutage, logTransitions } from './ops/log.ts';
import { countDroppedLines, createMetrics, type Metrics } from './ops/metrics.ts';
import { operationIds, operations, toolOperations } from './contract/registry.ts';
import { startCleanup } from './ops/retention.ts';
import { createChangeFeed } from './tasks/changes/change-feed.ts';
import { createTaskInserter } from './tasks/create.ts';
import { createTaskReader } from './tasks/find-task.ts';
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
export async function start(config: Config, logger: Logger): Promise<RunningServer> {
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

async function open(config: Config, opened: AsyncDisposableStack, logger: Logger): Promise<string> {
  const contract = await openContract(operations);
  const metrics = createMetrics({ operationIds, contract, agents: config.agents });
  opened.defer(countDroppedLines(metrics));
  const database = await openMigrated(config, opened, logger, metrics);
  const limits = createLimits(config);
  const queue = new FairQueue(limits.running, config.database.poolWaitMs);
  const renderPool = new RenderPool(config.charts.workers, limits.pictures, (reason) => {
    metrics.workerExits.inc();
    logger.warn({ reason }, 'a render process has exited');
  });
  opened.defer(() => renderPool.close());
  const { db, searchBytesMax } = database;
  const cluster = { db, isDistributed: await isDistributed(db) };
  const statements = { findTask: createTaskReader(cluster), insertTask: createTaskInserter(cluster) };
  const charts = { renderPool, linkKey: await readChartLinkKey(db), publicUrl: config.publicUrl };
  const tasks = { db, ...statements, searchBytesMax, tasksMax: config.tasksPerUserMax, findAgent };
  const toolServices = { ...tasks, ...charts };
  // Agents call the same operations on tasks and charts as HTTP requests.
  const agents = await startAgents({
    config: config.agents,
    database,
    callOperation: createInProcessClient(contract, toolOperations, toolServices),
    validateRequest: contract.validate,
    tools: agentTools.map((entry) => operationTool(entry, contract.operation(entry.operation), 'agent')),
    requestQueue: queue,
    logger,
    metrics,
  });
  opened.defer(() => agents.close());
  const changeFeed = createChangeFeed(cluster, logger);
  const stopping = new AbortController();
  const keys = await openKeys(config, logger);
  const checkReadiness = createReadiness(
    db,
    keys.remote,
    stopping.signal,
    logTransitions(logger, { failed: 'the server is not ready', recovered: 'the server is ready again' }),
  );
  const parts = { contract, database, renderPool, limits, queue, logger, metrics, checkReadiness };
  registerGauges(metrics.registry, { ...parts, config, agents, remoteKeys: keys.remote });
  const app = createApp(config, {
    ...parts,
    verify: createVerifier(keys, config.tokens),
    services: { ...toolServices, changeFeed, rateLimits: config.agents.limits, ...agents.services },
    stopping: stopping.signal,
  });
  const listener = await listen(app.callback(), config.listener);
  // Streams of changes end as soon as clients can no longer reach this server. After half of the timeout, requests that
  // wait for a run get 202, and another process continues the run.
  opened.defer(async () => {
    stopping.abort();
    const { shutdownDelayMs, shutdownTimeoutMs } = config.listener;
    const timers = [
      setTimeout(changeFeed.close, shutdownDelayMs),
      setTimeout(agents.drain, shutdownDelayMs + shutdownTimeoutMs / 2),
    ];
    await listener.close();
    timers.forEach(clearTimeout);
  });
  await logFindings(logger, config, databaseChecks(config, database));
  return listener.url;
}

async function openKeys({ tokens, dataDir }: Config, logger: Logger): Promise<VerifyingKeys> {
  const onFetched = logTransitions(logger, {
    failed: 'the keys of the issuer cannot be fetched; those that were fetched stay valid for an hour',
    recovered: 'the keys of the issuer can be fetched again',
  });
  const keys = await verifyingKeys(tokens, dataDir, onFetched);
  // Fetched before the first token arrives. A failure is logged by `onFetched`.
  void keys.remote?.check().catch(() => undefined);
  return keys;
}

async function openMigrated(
  config: Config,
  opened: AsyncDisposableStack,
  logger: Logger,
  metrics: Metrics,
): Promise<Database> {
  const database = await openDatabase(config, {
    mayCreate: true,
    onOutage: logOutage(logger, {
      failed: 'the database fails; further errors are not logged until it works again',
      recovered: 'the database has not failed for ten seconds',
    }),
    metrics,
  });
  opened.defer(() => database.close());
  const warn = logger.warn.bind(logger);
  await assertSessionSettings(database.db);
  await assertCanListen(config.listener);
  const migrations = await migrateDatabase(config, database, warn);
  if (migrations.length === Object.keys(serverMigrations).length)
    logger.info('the database was empty: its tables were created');
  opened.defer(
    startCleanup(database.db, config.retention, (err) => {
      logger.warn({ err }, 'expired rows could not be deleted; the next attempt is in an hour');
    }),
  );
  return database;
}

// A database that does not respond would delay the exit. Every acknowledged write is already committed.
const closeMs = 8_000;

/** Closes in the opposite order of opening. Logs when this is complete, or has taken too long. */
async function close(opened: AsyncDisposableStack, logger: Logger, times: ListenerConfig): Promise<void> {
  logger.info('shutdown requested');
  const closed = opened.disposeAsync().then(() => true);
  const limitMs = times.shutdownDelayMs + times.shutdownTimeoutMs + closeMs;
  if (await Promise.race([closed, pause(limitMs, false, { ref: false })])) logger.info('shutdown complete');
  else logger.warn('shutdown cut off: it took too long');
}
