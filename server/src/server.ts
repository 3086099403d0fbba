import type { Logger } from 'pino';
import { findAgentName } from './agents/agent-store.ts';
import { startAgents, type RunningAgents } from './agents/start.ts';
import type { Config } from './config/config.ts';
import { openContract, type Contract } from './contract/contract.ts';
import { createInProcessClient } from './contract/in-process-client.ts';
import { isDistributed } from './db/citus.ts';
import type { ConnectionObservers } from './db/postgres/postgres.ts';
import { findMissingTimeLimits } from './db/postgres/pooler.ts';
import { migrateDatabase, openDatabase, startFailure, type Database } from './db/database.ts';
import { startCleanup } from './db/expired-keys.ts';
import { registerGauges } from './gauges.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { serveHttp } from './http-server.ts';
import { createLogger, logOutage } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { operationIds, operations, toolOperations, type ToolServices } from './operations.ts';
import { closeAndLog, closeListener } from './shutdown.ts';
import { createChangeFeed } from './tasks/changes/change-feed.ts';
import { agentTools } from './tools/catalogue.ts';
import { operationTool } from './tools/operation-tool.ts';
import { RenderPool } from './viz/render-pool.ts';

export interface RunningServer {
  /** The address with the actual port, such as `http://127.0.0.1:3000`. */
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
  // Closed in the opposite order.
  const opened = new AsyncDisposableStack();
  try {
    const server = await open(config, { opened, logger });
    return { ...server, close: () => closeAndLog(opened, logger, config.listener) };
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
  const metrics = createMetrics(operationIds);
  const database = await openDatabase(config, connectionObservers(logger, metrics));
  opened.defer(() => database.close());
  await migrateDatabase(config, database, (sentence) => {
    logger.warn(sentence);
  });
  if (database.engine === 'Postgres') await warnOfMissingTimeLimits(database, logger);
  opened.defer(startKeyCleanup(database, logger));
  const limits = createLimits(config);
  const renderPool = createRenderPool(config, { limits, logger, metrics });
  opened.defer(() => renderPool.close());
  const shared = { database, contract: await openContract(operations), renderPool, limits, logger, metrics };
  const agents = await startAgentsWithTools(config, shared);
  opened.defer(() => agents.close());
  const changeFeed = createChangeFeed({
    db: database.db,
    isDistributed: await isDistributed(database.db),
    streams: limits.changeStreams,
    logger,
  });
  registerGauges(metrics.registry, { config, ...shared, agents });
  const stopping = new AbortController();
  const listener = await serveHttp(config, {
    ...shared,
    agents,
    changeFeed,
    stopping: stopping.signal,
  });
  opened.defer(() => {
    stopping.abort();
    return closeListener(listener, { agents, changeFeed }, config.listener);
  });
  return { url: listener.url, engine: database.engine };
}

function connectionObservers(logger: Logger, { statementSeconds }: Metrics): ConnectionObservers {
  return {
    onBrokenConnection: logOutage(logger, {
      failed: 'a database connection broke and is replaced; further ones are not logged',
      recovered: 'no database connection has broken for ten seconds',
    }),
    onStatement: (seconds) => {
      statementSeconds.observe(seconds);
    },
  };
}

/** A pooler may ignore the limits that a connection asks for. */
async function warnOfMissingTimeLimits({ db }: Database, logger: Logger): Promise<void> {
  const limits = await findMissingTimeLimits(db);
  if (limits.length > 0)
    logger.warn(
      { limits },
      'the database does not apply these time limits; set them on the role (see server/README.md)',
    );
}

interface Shared {
  readonly database: Database;
  readonly contract: Contract;
  readonly renderPool: RenderPool;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

function createRenderPool(
  { charts }: Config,
  { limits, logger, metrics }: Pick<Shared, 'limits' | 'logger' | 'metrics'>,
): RenderPool {
  return new RenderPool({
    workers: charts.workers,
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
}

/** Agents use the operations on tasks and charts that HTTP requests reach. */
function startAgentsWithTools(
  config: Config,
  { database, contract, renderPool, limits, logger, metrics }: Shared,
): Promise<RunningAgents> {
  const { db, searchBytesMax } = database;
  const services = { db, searchBytesMax, findAgentName, renderPool };
  return startAgents({
    config: config.agents,
    database,
    callOperation: createInProcessClient<ToolServices, keyof typeof toolOperations>(
      contract,
      toolOperations,
      services,
    ),
    tools: agentTools.map((entry) => operationTool(entry, contract.operation(entry.operation), 'agent')),
    waiters: limits.runWaiters,
    logger,
    onRunFinished: (outcome, seconds) => {
      metrics.runs.inc({ outcome });
      metrics.runSeconds.observe({ outcome }, seconds);
    },
  });
}

function startKeyCleanup({ db }: Database, logger: Logger): () => Promise<void> {
  return startCleanup(db, (error) => {
    logger.warn(
      { err: error },
      'expired idempotency keys could not be deleted; the next attempt is in an hour',
    );
  });
}
