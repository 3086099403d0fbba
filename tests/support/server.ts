import { createHash } from 'node:crypto';
import { expect, inject } from 'vitest';
import { cleanUpAfter } from './cleanup.ts';
import { Client } from './client.ts';
import { copyTemplate, type Engine, type TestDatabase } from './databases.ts';
import { whenConnectionsAreFree } from './postgres.ts';
import { capitalized, tokenFor } from './tokens.ts';

export type { TestDatabase } from './databases.ts';

/** The engine of this test run. Projects of vitest.config.ts name one; "any" is Postgres where it is available. */
export const engine: Engine = engineOf(process.env['TEST_ENGINE']);

/** Whether several processes can use the database, and tests can reach it beside the server. */
export const isShareable = engine !== 'pglite';

function engineOf(name: string | undefined): Engine {
  if (name === 'any') return inject('templates').postgres === undefined ? 'pglite' : 'postgres';
  return name === 'postgres' || name === 'citus' ? name : 'pglite';
}

export interface SharedServer {
  readonly url: string;
  /** Environment with which another process reaches the same database. */
  readonly env: Readonly<Record<string, string>>;
  /** The id of a user, such as `alice`; on a shared server, other files have other users of that name. */
  userId(user: string): string;
  token(user: string): Promise<string>;
  /** A client with the token of a user; without a user, a client without a token. */
  as(user?: string): Promise<Client>;
}

export interface TestServer extends SharedServer {
  close(): Promise<void>;
}

/**
 * The server that the files of an engine share, without rate limits. Only for tests that depend on nothing but their own
 * users: tests of settings, of metrics, of locks or of other tables start their own.
 */
export function sharedServer(): SharedServer {
  const shared = inject('sharedServers')[engine];
  if (shared === undefined) throw new Error(`The tests of the project "${engine}" found no database server.`);
  const file = createHash('sha256')
    .update(expect.getState().testPath ?? '')
    .digest('hex')
    .slice(0, 8);
  return { ...shared, ...clientsOf(shared.url, (user) => `${user}-${file}`) };
}

function clientsOf(
  url: string,
  userId: SharedServer['userId'],
): Pick<SharedServer, 'userId' | 'token' | 'as'> {
  const token = (user: string): Promise<string> => tokenFor(userId(user), { name: capitalized(user) });
  return {
    userId,
    token,
    as: async (user) => new Client(url, user === undefined ? undefined : await token(user)),
  };
}

export interface TestServerOptions {
  readonly env?: Record<string, string>;
  /** A database, or another server whose database is to be shared (Postgres only). */
  readonly sharing?: Pick<SharedServer, 'env'>;
  /** Collects the lines of the log. */
  readonly log?: string[];
}

/** Starts a server on a free port with an empty database of its own. It is stopped after the file's tests. */
export async function startTestServer({
  env = {},
  sharing,
  log,
}: TestServerOptions = {}): Promise<TestServer> {
  // Imported here, because files that use the shared server need nothing of it.
  const [{ start }, { createLogger }, { testConfig }] = await Promise.all([
    import('../../server/src/server.ts'),
    import('../../server/src/log.ts'),
    import('./config.ts'),
  ]);
  const database =
    sharing === undefined ? await createDatabase() : { env: sharing.env, drop: () => Promise.resolve() };
  const config = testConfig({ dataDir: database.env['DATA_DIR'] ?? '', env: { ...database.env, ...env } });
  const logger = log && createLogger('debug', { write: (line) => log.push(line) });
  const server = await whenConnectionsAreFree(() => start(config, logger));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close().then(() => database.drop()));
  cleanUpAfter(close);
  return { url: server.url, env: database.env, ...clientsOf(server.url, (user) => user), close };
}

/** An empty, migrated database on the engine of this test run. */
export function createDatabase(): Promise<TestDatabase> {
  return copyTemplate(engine, inject('templates'));
}
