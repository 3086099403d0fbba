import { listen, type Listener } from './listen.ts';
import { pino, type Logger } from 'pino';
import { startAgents, type RunningAgents } from './agents/agents.ts';
import { findAgentName } from './agents/agent-store.ts';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import type { Config } from './config.ts';
import { openDatabase, type Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { openLimitStore } from './db/limit-store.ts';
import { forgetOldKeys } from './db/once.ts';
import { SetupError } from './environment.ts';
import { Problem } from './errors.ts';
import { toolHandlers } from './handlers.ts';
import { openContract, type Contract } from './http/contract.ts';
import { createPerform } from './http/perform.ts';
import { createRateLimits } from './http/rate-limit.ts';

export interface RunningServer {
  /** The address with the port that was really taken, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly engine: Database['engine'];
  /** Stops accepting, waits for the requests in flight and closes the database. */
  close(): Promise<void>;
}

/** Opens and migrates the database, then listens. */
export async function start(
  config: Config,
  logger: Logger = pino({ level: config.logLevel }),
): Promise<RunningServer> {
  const opened: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).reverse()) await each();
  };
  try {
    const database = await openDatabase(config, (error) => {
      logger.warn({ err: error }, 'an idle database connection broke and is replaced');
    });
    opened.push(() => database.close());
    await migrate(database.db).catch(refuseDatabase);
    opened.push(keepClean(database, logger));
    const contract = await openContract();
    const agents = await openAgents(config, { database, contract, logger });
    opened.push(() => agents.close());
    const listener = await serve(config, { database, contract, agents, logger });
    opened.push(() => finished(listener, agents));
    return { url: listener.url, engine: database.engine, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** At the start the operator is there to mend it, so the driver's reason is told. */
function refuseDatabase(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  throw new SetupError(
    `The database cannot be used. Check DATABASE_URL. Its driver says: ${String(error.cause)}`,
  );
}

interface Parts {
  readonly database: Database;
  readonly contract: Contract;
  readonly logger: Logger;
}

/** Agents do what they do by the operations of the tasks and charts that HTTP requests reach. */
function openAgents(config: Config, { database, contract, logger }: Parts): Promise<RunningAgents> {
  const perform = createPerform(contract, toolHandlers, { findAgentName });
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
  { database, contract, agents, logger }: Parts & { readonly agents: RunningAgents },
): Promise<Listener> {
  const { db, engine } = database;
  const app = createApp({
    contract,
    services: { db, findAgentName, agents: agents.agents },
    admit: createRateLimits(config.agents.limits, engine === 'Postgres' ? openLimitStore(db) : undefined),
    verify: createVerifier(await verifyingKey(config.tokens, config.dataDir), config.tokens),
    logger,
    requestsMax: config.requestsMax,
  });
  return listen(app.callback(), config);
}

const patienceMs = 5000;

/** Answers what is in flight; who waits for a run is sent away after a while, and the run goes on another time. */
async function finished(listener: Listener, agents: RunningAgents): Promise<void> {
  const draining = setTimeout(() => {
    agents.drain();
  }, patienceMs);
  await listener.close();
  clearTimeout(draining);
}

/** Removes now and then what is no longer needed; returns what ends that. */
function keepClean({ db }: Database, logger: Logger): () => Promise<void> {
  const cleaning = setInterval(() => {
    forgetOldKeys(db).catch((error: unknown) => {
      logger.warn({ err: error }, 'old idempotency keys could not be removed; the next hour tries again');
    });
  }, 60 * 60_000).unref();
  return () => {
    clearInterval(cleaning);
    return Promise.resolve();
  };
}
