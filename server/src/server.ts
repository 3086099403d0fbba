import type { Logger } from 'pino';
import { startAgents, type RunningAgents } from './agents/agents.ts';
import { findAgentName } from './agents/agent-store.ts';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import { closeAll } from './close-all.ts';
import type { Config } from './config.ts';
import { migrateDatabase, openDatabase, startFailure, type Database } from './db/database.ts';
import { openLimitStore } from './db/limit-store.ts';
import { startForgetting } from './db/once.ts';
import { createReadiness } from './db/readiness.ts';
import { registerGauges } from './gauges.ts';
import { toolHandlers, type ToolServices } from './handlers.ts';
import { createByteBudget, type ByteBudget } from './http/byte-budget.ts';
import { openContract, type Contract } from './http/contract.ts';
import { createDoor } from './http/door.ts';
import { listen, type Listener } from './http/listener.ts';
import { createPerform } from './http/perform.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createSlots, type Slots } from './http/slots.ts';
import { createUnread, type Unread } from './http/unread.ts';
import { createLogger, logChanges } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Painters } from './viz/painters.ts';

export interface RunningServer {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly engine: Database['engine'];
  /** Stops accepting, answers the requests in flight and closes the database. */
  close(): Promise<void>;
}

/** Opens and migrates the database, then listens. */
export async function start(
  config: Config,
  logger: Logger = createLogger(config.logLevel),
): Promise<RunningServer> {
  const opened: (() => Promise<void>)[] = [];
  const close = (): Promise<void> => closeAll(opened.splice(0).reverse());
  try {
    const database = await openDatabase(config, (error) => {
      logger.warn({ err: error }, 'a database connection broke and is replaced');
    });
    opened.push(() => database.close());
    await migrateDatabase(config, database);
    opened.push(keepClean(database, logger));
    const metrics = createMetrics();
    const painters = startPainters(config, { logger, metrics });
    opened.push(() => painters.close());
    const shared = { database, contract: await openContract(), painters, logger, metrics };
    const agents = await openAgents(config, shared);
    opened.push(() => agents.close());
    const slots = createSlots(config.requestsMax);
    const receiving = createByteBudget(config.receivingBytesMax);
    const parts = { ...shared, agents, slots, receiving, unread: createUnread(config.unreadBytesMax) };
    registerGauges(metrics.registry, parts);
    const stopping = new AbortController();
    const listener = await serve(config, { ...parts, stopping: stopping.signal });
    opened.push(() => {
      stopping.abort();
      return finished(listener, agents, config.listener);
    });
    return { url: listener.url, engine: database.engine, close: () => loggedStop(logger, close) };
  } catch (error) {
    // Why the start failed matters more than what then could not be closed.
    await close().catch((err: unknown) => {
      logger.warn({ err }, 'what was opened could not be closed');
    });
    throw startFailure(error, config);
  }
}

async function loggedStop(logger: Logger, close: () => Promise<void>): Promise<void> {
  logger.info('the server was told to stop');
  await close();
  logger.info('the server has stopped');
}

interface SharedParts {
  readonly database: Database;
  readonly contract: Contract;
  readonly painters: Painters;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface Parts extends SharedParts {
  readonly agents: RunningAgents;
  readonly slots: Slots;
  readonly receiving: ByteBudget;
  readonly unread: Unread;
  /** Aborts when the server is about to end. */
  readonly stopping: AbortSignal;
}

function startPainters({ charts }: Config, { logger, metrics }: Pick<Parts, 'logger' | 'metrics'>): Painters {
  return new Painters({
    ...charts,
    onDeath: (reason) => {
      metrics.painterDeaths.inc();
      logger.warn({ reason }, 'a painter process has ended and is replaced');
    },
    onMissing: (letters) => {
      logger.warn({ letters }, 'no installed font has these letters, so charts show boxes');
    },
  });
}

/** Agents do what they do by the operations of the tasks and charts that HTTP requests reach. */
function openAgents(
  config: Config,
  { database, contract, painters, logger, metrics }: SharedParts,
): Promise<RunningAgents> {
  const perform = createPerform<ToolServices>(contract, toolHandlers, { findAgentName, painters });
  return startAgents({
    config: config.agents,
    database,
    perform,
    offers: (id) => id in toolHandlers,
    logger,
    onFinished: (outcome) => {
      metrics.runs.inc({ outcome });
    },
  });
}

async function serve(config: Config, parts: Parts): Promise<Listener> {
  const { contract, painters, agents, logger, metrics, slots, receiving, unread, stopping } = parts;
  const { db, engine } = parts.database;
  const { corsOrigins } = config;
  const isFull = (): boolean => slots.areTaken() || unread.areFull();
  const app = createApp({
    ...{ contract, logger, metrics, slots, receiving, unread, isFull },
    services: { db, findAgentName, painters, agents: agents.agents },
    admit: createRateLimits(config.agents.limits, engine === 'Postgres' ? openLimitStore(db) : undefined),
    verify: createVerifier(
      await verifyingKey(config.tokens, config.dataDir),
      config.tokens,
      logChanges(logger, {
        failing: 'the keys at JWKS_URL cannot be had, so no new token can be verified',
        over: 'the keys at JWKS_URL can be had again',
      }),
    ),
    unreadiness: createReadiness(
      db,
      stopping,
      logChanges(logger, { failing: 'the server is not ready', over: 'the server is ready again' }),
    ),
    metricsToken: config.metricsToken,
    corsOrigins,
  });
  const onRefused = (status: number): void => {
    metrics.refusedConnections.inc({ status });
  };
  const answer = createDoor({ isFull, contract, logger, metrics, corsOrigins }, app.callback());
  return listen(answer, config.listener, onRefused);
}

/** Answers what is in flight; who waits for a run is sent away in time, and the run goes on in another process. */
async function finished(
  listener: Listener,
  agents: RunningAgents,
  { drainNoticeMs, drainMs }: Config['listener'],
): Promise<void> {
  const draining = setTimeout(
    () => {
      agents.drain();
    },
    drainNoticeMs + drainMs / 2,
  );
  await listener.close();
  clearTimeout(draining);
}

/** Removes now and then what is no longer needed; returns what ends that. */
function keepClean({ db }: Database, logger: Logger): () => Promise<void> {
  return startForgetting(db, (error) => {
    logger.warn(
      { err: error },
      'expired idempotency keys could not be deleted; the next attempt is in an hour',
    );
  });
}
