import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, inject } from 'vitest';
import { cleanUpAfter } from './cleanup.ts';
import { Client, type Target } from './client.ts';
import type { ConfigChanges } from './config.ts';
import { copyTemplate, type Template } from './databases.ts';
import type { StartedEngine } from './engine-setup.ts';
import { whenConnectionsAreFree } from './postgres.ts';
import { capitalized, tokenFor } from './tokens.ts';

export interface TestDatabase {
  /** The environment with which a server or command uses the database. */
  readonly env: Readonly<Record<string, string>>;
}

const started = startedEngine();

/** The database from which test databases are copied. */
export const { template } = started;

/** The engine of this project. In the projects `one-engine` and `sdk`, it is Postgres if that is available. */
export const { engine } = template;

/** True if several processes can use the database, so that a test can use it next to the server. */
export const isShareable = engine !== 'pglite';

function startedEngine(): StartedEngine {
  const provided = inject('engine');
  if (provided !== undefined) return provided;
  throw new Error(
    'This project has no engine: vitest.config.ts names none, or no database server was found.',
  );
}

export interface SharedServer extends Target, TestDatabase {
  /** The id of a user, such as `alice`. On a shared server, each file has its own users. */
  userId(user: string): string;
  token(user: string): Promise<string>;
  /** A client with the token of a user, or without a token if there is no user. */
  as(user?: string): Promise<Client>;
}

export interface TestServer extends SharedServer {
  close(): Promise<void>;
}

/**
 * The server that all files of an engine share, without rate limits. Only for tests that depend on nothing but their
 * own users. Tests of settings, metrics, locks or whole tables start their own server.
 */
export function sharedServer(): SharedServer {
  const { url, env, logFile } = started.server;
  const file = createHash('sha256')
    .update(expect.getState().testPath ?? '')
    .digest('hex')
    .slice(0, 8);
  const target = { url, output: () => readFileSync(logFile, 'utf8') };
  return { ...target, env, ...clientsOf(target, (user) => `${user}-${file}`) };
}

function clientsOf(
  target: Target,
  userId: SharedServer['userId'],
): Pick<SharedServer, 'userId' | 'token' | 'as'> {
  const token = (user: string): Promise<string> => tokenFor(userId(user), { name: capitalized(user) });
  return {
    userId,
    token,
    as: async (user) => new Client(target, user === undefined ? undefined : await token(user)),
  };
}

export interface TestServerOptions {
  readonly env?: Record<string, string>;
  readonly changes?: ConfigChanges;
  /** Uses this database, or the database of this server (Postgres only), instead of an empty one. */
  readonly sharing?: TestDatabase;
  /** Receives the lines of the log. */
  readonly log?: string[];
}

/** Starts a server on a free port, with an empty database of its own. It is stopped after the file. */
export async function startTestServer({
  env = {},
  changes = {},
  sharing,
  log,
}: TestServerOptions = {}): Promise<TestServer> {
  // Imported only when needed, because files with a shared server do not use these modules.
  const [{ start }, { createLogger }, { testConfig }] = await Promise.all([
    import('../../server/src/start.ts'),
    import('../../server/src/ops/log.ts'),
    import('./config.ts'),
  ]);
  const database = sharing ?? (await createDatabase());
  const config = testConfig({
    dataDir: database.env['DATA_DIR'] ?? '',
    env: { ...database.env, ...env },
    changes,
  });
  const lines = log ?? [];
  const logger = createLogger(log === undefined ? 'error' : 'debug', { write: (line) => lines.push(line) });
  const server = await whenConnectionsAreFree(() => start(config, logger));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  cleanUpAfter(close);
  const target = { url: server.url, output: () => lines.join('') };
  return { ...target, env: database.env, ...clientsOf(target, (user) => user), close };
}

/** An empty, migrated database, or a copy of `source`. It is dropped after the test or file. */
export async function createDatabase(source: Template = template): Promise<TestDatabase> {
  const { env, drop } = await copyTemplate(source);
  cleanUpAfter(drop);
  return { env };
}
