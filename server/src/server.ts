import type { Logger } from 'pino';
import { startAgents, type RunningAgents } from './agents/agents.ts';
import { findAgentName } from './agents/agent-store.ts';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { migrateDatabase, openDatabase, type Database } from './db/database.ts';
import { openLimitStore } from './db/limit-store.ts';
import { startForgetting } from './db/once.ts';
import { SetupError } from './environment.ts';
import { toolHandlers, type ToolServices } from './handlers.ts';
import { openContract, type Contract } from './http/contract.ts';
import { listen, type Listener } from './http/listener.ts';
import { createPerform } from './http/perform.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createLogger } from './log.ts';
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
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).reverse()) await each();
  };
  try {
    const database = await openDatabase(config, (error) => {
      logger.warn({ err: error }, 'a database connection broke and is replaced');
    });
    opened.push(() => database.close());
    await migrateDatabase(database);
    opened.push(keepClean(database, logger));
    const painters = startPainters(config, logger);
    opened.push(() => painters.close());
    const parts = { database, contract: await openContract(), painters, logger };
    const agents = await openAgents(config, parts);
    opened.push(() => agents.close());
    const listener = await serve(config, { ...parts, agents });
    opened.push(() => finished(listener, agents, config.listener.drainMs));
    return { url: listener.url, engine: database.engine, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startPainters({ charts }: Config, logger: Logger): Painters {
  return new Painters({
    ...charts,
    onDeath: (reason) => {
      logger.warn({ reason }, 'a painter process has ended and is replaced');
    },
    onMissing: (letters) => {
      logger.warn({ letters }, 'no installed font has these letters, so charts show boxes');
    },
  });
}

interface Parts {
  readonly database: Database;
  readonly contract: Contract;
  readonly painters: Painters;
  readonly logger: Logger;
}

/** Agents do what they do by the operations of the tasks and charts that HTTP requests reach. */
function openAgents(config: Config, { database, contract, painters, logger }: Parts): Promise<RunningAgents> {
  const perform = createPerform<ToolServices>(contract, toolHandlers, { findAgentName, painters });
  return startAgents({
    config: config.agents,
    database,
    perform,
    offers: (id) => id in toolHandlers,
    logger,
  });
}

async function serve(
  config: Config,
  { database, contract, painters, agents, logger }: Parts & { readonly agents: RunningAgents },
): Promise<Listener> {
  const { db, engine } = database;
  const app = createApp({
    contract,
    services: { db, findAgentName, painters, agents: agents.agents },
    admit: createRateLimits(config.agents.limits, engine === 'Postgres' ? openLimitStore(db) : undefined),
    verify: createVerifier(await verifyingKey(config.tokens, config.dataDir), config.tokens),
    logger,
    requestsMax: config.requestsMax,
    corsOrigins: config.corsOrigins,
  });
  try {
    return await listen(app.callback(), config.listener);
  } catch (error) {
    throw listenError(error, config.listener);
  }
}

/** Answers what is in flight; who waits for a run is sent away in time, and the run goes on in another process. */
async function finished(listener: Listener, agents: RunningAgents, drainMs: number): Promise<void> {
  const draining = setTimeout(() => {
    agents.drain();
  }, drainMs / 2);
  await listener.close();
  clearTimeout(draining);
}

/** Removes now and then what is no longer needed; returns what ends that. */
function keepClean({ db }: Database, logger: Logger): () => Promise<void> {
  const stop = startForgetting(db, (error) => {
    logger.warn({ err: error }, 'old idempotency keys could not be removed; the next hour tries again');
  });
  return () => {
    stop();
    return Promise.resolve();
  };
}

function listenError(error: unknown, { host, port }: Config['listener']): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new SetupError(`Port ${port} is already in use. Set PORT to a free one.`);
  if (code === 'EADDRNOTAVAIL') return new SetupError(`HOST ${host} is no address of this machine.`);
  return error;
}
