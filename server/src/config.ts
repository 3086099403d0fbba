import { resolve } from 'node:path';
import { readAgentsConfig, type AgentsConfig } from './agents/config.ts';
import { readTokenConfig, type TokenConfig } from './auth/config.ts';
import {
  choice,
  integer,
  origin,
  origins,
  StartupError,
  text,
  url,
  type Environment,
} from './environment.ts';
import { assertNoRenamedVariables } from './renamed-variables.ts';
import { findUnknownVariables } from './unknown-variables.ts';

export interface Config {
  readonly listener: ListenerConfig;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly concurrentRequestsMax: number;
  /** The memory limit for bodies that are being received. */
  readonly bufferedRequestBytesMax: number;
  /** The memory limit for responses that clients have not read yet. */
  readonly bufferedResponseBytesMax: number;
  /** How many streams of changes this process may have; each caller may have a tenth of them. */
  readonly changeStreamsMax: number;
  /** The bearer token of `GET /metrics`. */
  readonly metricsToken: string | undefined;
  /** The origins of pages that may call this server. An empty list switches CORS off. */
  readonly corsOrigins: readonly string[];
  /** The origin at which clients reach this server; undefined if it is not known. */
  readonly publicUrl: string | undefined;
  readonly mcp: McpConfig;
  readonly database: DatabaseConfig;
  readonly tokens: TokenConfig;
  readonly agents: AgentsConfig;
  readonly charts: ChartConfig;
}

interface McpConfig {
  /** Whether there is a tool that deletes tasks. */
  readonly mayDelete: boolean;
}

interface ChartConfig {
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
  /** Whether the embedded database has no folder, as in a demo. */
  readonly isInMemory: boolean;
  readonly poolSize: number;
  readonly poolWaitMs: number;
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
  /** How long a transaction may be idle. */
  readonly idleTransactionTimeoutMs: number;
  readonly preparedStatements: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Reads the environment; no other code does. Throws a StartupError that names the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  assertNoRenamedVariables(env);
  const tokens = readTokenConfig(env);
  const publicUrl = origin(env, 'PUBLIC_URL');
  if (publicUrl !== undefined && tokens.issuer !== undefined && tokens.audience === undefined) {
    throw new StartupError(
      'With PUBLIC_URL and JWT_ISSUER, JWT_AUDIENCE must be set, so that tokens for other services of the issuer are refused. Usually it is PUBLIC_URL with /mcp at its end.',
    );
  }
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
    changeStreamsMax: integer(env, 'MAX_CHANGE_STREAMS', { fallback: 2000, min: 1, max: 100_000 }),
    metricsToken: text(env, 'METRICS_TOKEN'),
    corsOrigins: origins(env, 'CORS_ORIGINS'),
    publicUrl,
    mcp: { mayDelete: choice(env, 'MCP_DELETE', ['true', 'false'], 'false') === 'true' },
    database: databaseConfig(env),
    tokens,
    agents: readAgentsConfig(env),
    charts: {
      workers: integer(env, 'CHART_WORKERS', { fallback: 2, min: 1, max: 256 }),
      queueMax: integer(env, 'CHART_QUEUE', { fallback: 50, min: 1, max: 100_000 }),
    },
  };
}

/**
 * Sentences about settings that the operator may not have meant. Throws a StartupError where such a mistake would open a
 * database other than the intended one.
 */
export function settingsWarnings(env: Environment = process.env): string[] {
  const known = new Set<string>();
  const { database, tokens } = readConfig(
    new Proxy(env, {
      get: (target, name) => {
        known.add(String(name));
        return target[String(name)];
      },
    }),
  );
  const warnings = findUnknownVariables(env, known).map(
    (name) => `${name} looks like a setting of this server, but it has none of that name`,
  );
  if (isDiscovered(tokens) && tokens.audience === undefined)
    warnings.push(
      'JWT_AUDIENCE is not set, so tokens that JWT_ISSUER made for other applications are accepted',
    );
  if (env['NODE_ENV'] !== 'production' || database.url !== undefined) return warnings;
  if (env['DATABASE_URL'] === '')
    throw new StartupError(
      'DATABASE_URL is empty. Set it, or remove it to use the embedded database in DATA_DIR.',
    );
  return [...warnings, 'DATABASE_URL is not set, so the embedded database in DATA_DIR is used in production'];
}

/** Whether the keys come from the discovery of the issuer. */
function isDiscovered({ issuer, secret, publicKeys, jwksUrl }: TokenConfig): boolean {
  return issuer !== undefined && [secret, publicKeys, jwksUrl].every((key) => key === undefined);
}

/** A memory limit. Its minimum leaves room for the largest body in the share of a caller, a quarter. */
function bytes(env: Environment, name: string): number {
  return integer(env, name, { fallback: 256 * 2 ** 20, min: 16 * 2 ** 20, max: 2 ** 40 });
}

function databaseConfig(env: Environment): DatabaseConfig {
  const duration = (name: string, fallback: number): number =>
    integer(env, name, { fallback, min: 1, max: 600_000 });
  return {
    url: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    isInMemory: false,
    poolSize: integer(env, 'DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 1000 }),
    poolWaitMs: duration('DATABASE_POOL_WAIT_MS', 4000),
    statementTimeoutMs: duration('DATABASE_STATEMENT_TIMEOUT_MS', 4000),
    lockTimeoutMs: duration('DATABASE_LOCK_TIMEOUT_MS', 2000),
    idleTransactionTimeoutMs: duration('DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 4000),
    preparedStatements: choice(env, 'DATABASE_PREPARED_STATEMENTS', ['true', 'false'], 'true') === 'true',
  };
}
