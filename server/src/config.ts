import { resolve } from 'node:path';
import { readAgentsConfig, type AgentsConfig } from './agents/config.ts';
import { choice, integer, origins, StartupError, text, url, type Environment } from './environment.ts';
import { assertNoRenamedVariables } from './renamed-variables.ts';

export interface Config {
  readonly listener: ListenerConfig;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly concurrentRequestsMax: number;
  /** The memory limit for bodies that are being received. */
  readonly bufferedRequestBytesMax: number;
  /** The memory limit for responses that clients have not read yet. */
  readonly bufferedResponseBytesMax: number;
  /** The bearer token of `GET /metrics`. */
  readonly metricsToken: string | undefined;
  /** The origins of pages that may call this server. An empty list switches CORS off. */
  readonly corsOrigins: readonly string[];
  readonly database: DatabaseConfig;
  readonly tokens: TokenConfig;
  readonly agents: AgentsConfig;
  readonly charts: ChartConfig;
}

export interface ChartConfig {
  /** The number of processes that render PNG and PDF. */
  readonly workers: number;
  /** How many charts of the default size may wait for a render process. */
  readonly queueMax: number;
}

export interface ListenerConfig {
  readonly host: string;
  readonly port: number;
  /** How long a client may take to send a request, and to read the response. */
  readonly requestTimeoutMs: number;
  /** How long the server still accepts requests after a shutdown was requested, so that load balancers notice it. */
  readonly shutdownDelayMs: number;
  /** How long requests in flight may then take to finish. */
  readonly shutdownTimeoutMs: number;
}

export interface DatabaseConfig {
  /** The URL of a Postgres server; undefined for the embedded database in the data folder. */
  readonly url: string | undefined;
  readonly poolSize: number;
  readonly poolWaitMs: number;
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
  /** How long a transaction may be idle. */
  readonly idleTransactionTimeoutMs: number;
  readonly preparedStatements: boolean;
}

export interface TokenConfig {
  readonly secret: string | undefined;
  readonly publicKey: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Reads the environment; no other code does. Throws a StartupError that names the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  assertNoRenamedVariables(env);
  return {
    listener: {
      host: text(env, 'HOST') ?? '127.0.0.1',
      port: integer(env, 'PORT', { fallback: 3000, min: 0, max: 65535 }),
      requestTimeoutMs: integer(env, 'REQUEST_TIMEOUT_MS', { fallback: 30_000, min: 1000, max: 600_000 }),
      shutdownDelayMs: integer(env, 'SHUTDOWN_DELAY_MS', { fallback: 500, min: 0, max: 600_000 }),
      shutdownTimeoutMs: integer(env, 'SHUTDOWN_TIMEOUT_MS', { fallback: 10_000, min: 0, max: 600_000 }),
    },
    dataDir: resolve(text(env, 'DATA_DIR') ?? 'data'),
    logLevel: choice(env, 'LOG_LEVEL', logLevels, 'info'),
    concurrentRequestsMax: integer(env, 'MAX_CONCURRENT_REQUESTS', { fallback: 256, min: 1, max: 100_000 }),
    bufferedRequestBytesMax: bytes(env, 'MAX_BUFFERED_REQUEST_BYTES'),
    bufferedResponseBytesMax: bytes(env, 'MAX_BUFFERED_RESPONSE_BYTES'),
    metricsToken: text(env, 'METRICS_TOKEN'),
    corsOrigins: origins(env, 'CORS_ORIGINS'),
    database: databaseConfig(env),
    tokens: tokenConfig(env),
    agents: readAgentsConfig(env),
    charts: {
      workers: integer(env, 'CHART_WORKERS', { fallback: 2, min: 1, max: 256 }),
      queueMax: integer(env, 'CHART_QUEUE', { fallback: 100, min: 1, max: 100_000 }),
    },
  };
}

/** At least enough for the largest body in a caller's share, a quarter. */
function bytes(env: Environment, name: string): number {
  return integer(env, name, { fallback: 256 * 2 ** 20, min: 16 * 2 ** 20, max: 2 ** 40 });
}

function databaseConfig(env: Environment): DatabaseConfig {
  const duration = (name: string, fallback: number): number =>
    integer(env, name, { fallback, min: 1, max: 600_000 });
  return {
    url: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    poolSize: integer(env, 'DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 1000 }),
    poolWaitMs: duration('DATABASE_POOL_WAIT_MS', 4000),
    statementTimeoutMs: duration('DATABASE_STATEMENT_TIMEOUT_MS', 4000),
    lockTimeoutMs: duration('DATABASE_LOCK_TIMEOUT_MS', 2000),
    idleTransactionTimeoutMs: duration('DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 4000),
    preparedStatements: choice(env, 'DATABASE_PREPARED_STATEMENTS', ['true', 'false'], 'true') === 'true',
  };
}

function tokenConfig(env: Environment): TokenConfig {
  const tokens = {
    secret: text(env, 'JWT_SECRET'),
    publicKey: text(env, 'JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n'),
    jwksUrl: url(env, 'JWKS_URL', ['https:', 'http:']),
    issuer: text(env, 'JWT_ISSUER'),
    audience: text(env, 'JWT_AUDIENCE'),
  };
  if ([tokens.secret, tokens.publicKey, tokens.jwksUrl].filter((key) => key !== undefined).length > 1) {
    throw new StartupError(
      'Set only one of JWT_SECRET, JWT_PUBLIC_KEY and JWKS_URL: the server verifies tokens with one of them.',
    );
  }
  if (tokens.secret !== undefined && Buffer.byteLength(tokens.secret) < 32) {
    throw new StartupError('JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).');
  }
  return tokens;
}
