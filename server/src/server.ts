import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  const database = await openDatabase(config, (error) => {
    logger.warn({ err: error }, 'an idle database connection broke and is replaced');
  });
  try {
    await migrate(database.db).catch(refuseDatabase);
    const contract = await openContract();
    const agents = await openAgents(config, { database, contract, logger });
    const server = await serve(config, { database, contract, agents, logger });
    const cleaning = setInterval(() => void clean(database, logger), 60 * 60_000).unref();
    return {
      url: urlOf(server, config.host),
      engine: database.engine,
      close: async () => {
        clearInterval(cleaning);
        await finished(server, agents);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
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
): Promise<Server> {
  const { db, engine } = database;
  const app = createApp({
    contract,
    services: { db, findAgentName, agents: agents.agents },
    admit: createRateLimits(config.agents.limits, engine === 'Postgres' ? openLimitStore(db) : undefined),
    verify: createVerifier(await verifyingKey(config.tokens, config.dataDir), config.tokens),
    logger,
    requestsMax: config.requestsMax,
  });
  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(listenError(error, config));
    });
    server.listen(config.port, config.host, resolve);
  });
  return server;
}

const patienceMs = 5000;

/** Answers what is in flight; who waits for a run is sent away after a while, and the run goes on another time. */
async function finished(server: Server, agents: RunningAgents): Promise<void> {
  const draining = setTimeout(() => {
    agents.drain();
  }, patienceMs);
  await closed(server);
  clearTimeout(draining);
  agents.drain();
  await agents.close();
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE')
    return new SetupError(`Port ${port} is already in use. Set PORT to a free one.`);
  if (error.code === 'EADDRNOTAVAIL') return new SetupError(`HOST ${host} is no address of this machine.`);
  return error;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeIdleConnections();
  });
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address of that kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function clean({ db }: Database, logger: Logger): Promise<void> {
  try {
    await forgetOldKeys(db);
  } catch (error) {
    logger.warn({ err: error }, 'old idempotency keys could not be removed; the next hour tries again');
  }
}
