import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import { SetupError, type Config } from './config.ts';
import { openDatabase, type Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { forgetOldKeys } from './db/once.ts';
import { Problem } from './errors.ts';

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
    const server = await serve(config, database, logger);
    const cleaning = setInterval(() => void clean(database, logger), 60 * 60_000).unref();
    return {
      url: urlOf(server, config.host),
      engine: database.engine,
      close: async () => {
        clearInterval(cleaning);
        await closed(server);
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

async function serve(config: Config, { db }: Database, logger: Logger): Promise<Server> {
  const verify = createVerifier(await verifyingKey(config.tokens, config.dataDir), config.tokens);
  const { requestsMax, corsOrigins } = config;
  const app = await createApp({ services: { db }, verify, logger, requestsMax, corsOrigins });
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
