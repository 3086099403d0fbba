import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { verifyingKey } from './auth/keys.ts';
import { createVerifier } from './auth/tokens.ts';
import { SetupError, type Config } from './config.ts';
import { migrateDatabase, openDatabase, type Database } from './db/database.ts';
import { startForgetting } from './db/once.ts';
import type { Services } from './handlers.ts';
import { listen, type Listener } from './http/listener.ts';
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
  const database = await openDatabase(config, (error) => {
    logger.warn({ err: error }, 'a database connection broke and is replaced');
  });
  const painters = startPainters(config, logger);
  try {
    await migrateDatabase(config, database);
    const listener = await serve(config, { db: database.db, painters }, logger);
    const stopForgetting = startForgetting(database.db, (error) => {
      logger.warn({ err: error }, 'old idempotency keys could not be removed; the next hour tries again');
    });
    return {
      url: listener.url,
      engine: database.engine,
      close: async () => {
        stopForgetting();
        await listener.close();
        await Promise.all([painters.close(), database.close()]);
      },
    };
  } catch (error) {
    await Promise.all([painters.close(), database.close()]);
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

async function serve(config: Config, services: Services, logger: Logger): Promise<Listener> {
  const verify = createVerifier(await verifyingKey(config.tokens, config.dataDir), config.tokens);
  const { requestsMax, corsOrigins } = config;
  const app = await createApp({ services, verify, logger, requestsMax, corsOrigins });
  try {
    return await listen(app.callback(), config.listener);
  } catch (error) {
    throw listenError(error, config.listener);
  }
}

function listenError(error: unknown, { host, port }: Config['listener']): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new SetupError(`Port ${port} is already in use. Set PORT to a free one.`);
  if (code === 'EADDRNOTAVAIL') return new SetupError(`HOST ${host} is no address of this machine.`);
  return error;
}
