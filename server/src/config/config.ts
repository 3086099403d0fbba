import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { StartupError } from '../lib/startup-error.ts';
import { readServers, readSettings, type Environment } from './setting.ts';
import { settings } from './settings.ts';

export type Config = ReturnType<typeof configFrom>;
export type ListenerConfig = Config['listener'];
export type DatabaseConfig = Config['database'];
export type TokenConfig = Config['tokens'];
export type AgentsConfig = Config['agents'];
export type ModelConfig = AgentsConfig['models'][number];
/** An MCP server whose tools are the skill `mcp:<name>`. Only the operator sets its address. */
export type McpSkillConfig = AgentsConfig['mcpSkills'][number];
/** Requests per minute; 0 means no limit. */
export type RateLimitConfig = AgentsConfig['limits'];

/** Reads the environment. Throws a StartupError for the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  return configFrom(env);
}

/** The settings, and values that follow from them or that only tests change. The type of the result is `Config`. */
function configFrom(env: Environment) {
  const tokens = readTokens(env);
  const server = readSettings(env, settings.server);
  if (server.publicUrl !== undefined && tokens.issuer !== undefined && tokens.audience === undefined)
    throw new StartupError(
      'With PUBLIC_URL and JWT_ISSUER, JWT_AUDIENCE must be set, so that tokens for other services of the issuer are refused. Usually it is PUBLIC_URL with /mcp at its end.',
    );
  const database = readDatabase(env);
  const listener = readSettings(env, settings.listener);
  if (listener.reusePort && database.url === undefined)
    throw new StartupError(
      'REUSE_PORT needs DATABASE_URL, because only one process can use the embedded database.',
    );
  // A render process takes 130 MB, and up to 305 MB after thousands of large pictures.
  const workers = Math.min(availableParallelism(), 4);
  return {
    ...server,
    tokens,
    warnings: warningsOf(env, tokens, database),
    listener: {
      ...listener,
      /** How long a client may take to send a request, and how long it may read nothing of a response. */
      requestTimeoutMs: 30_000,
      /** How long requests in flight may take to finish after the port is closed. */
      shutdownTimeoutMs: 10_000,
    },
    database,
    retention: readSettings(env, settings.retention),
    agents: readAgents(env),
    // A process paints 80 charts of the default size in less than a second.
    charts: { workers, queueMax: workers * 80 },
    /** How many requests may run or wait for their turn. */
    concurrentRequestsMax: Math.max(400, database.poolSize * 20),
    /** How many requests may wait for runs, follow runs or stream changes. */
    waitingRequestsMax: 2000,
    /** The memory of bodies that are being received, and of responses that clients have not read yet. */
    bufferedBytesMax: bufferedBytesMax(),
  };
}

/** Sentences about settings that may be mistakes. */
function warningsOf(
  env: Environment,
  { secret, jwksUrl, issuer, audience }: ReturnType<typeof readTokens>,
  { url }: ReturnType<typeof readDatabase>,
): readonly string[] {
  const warnings: string[] = [];
  if (issuer !== undefined && audience === undefined && secret === undefined && jwksUrl === undefined)
    warnings.push(
      'JWT_AUDIENCE is not set, so tokens that JWT_ISSUER made for other applications are accepted',
    );
  if (env['NODE_ENV'] === 'production' && url === undefined)
    warnings.push('DATABASE_URL is not set, so the embedded database in DATA_DIR is used in production');
  return warnings;
}

/** A sixth of the heap, from 16 to 256 MiB. One caller's share, a quarter of this, has room for the largest body. */
function bufferedBytesMax(): number {
  const sixth = Math.floor(getHeapStatistics().heap_size_limit / 6);
  return Math.min(Math.max(sixth, 16 * 2 ** 20), 256 * 2 ** 20);
}

function readDatabase(env: Environment) {
  const database = readSettings(env, settings.database);
  const { statementTimeoutMs } = database;
  if (env['NODE_ENV'] === 'production' && env['DATABASE_URL'] === '')
    throw new StartupError(
      'DATABASE_URL is empty. Set it, or remove it to use the embedded database in DATA_DIR.',
    );
  return {
    ...database,
    /** The setting that names the database, or the option `--demo` or `--to`. */
    setting: database.url === undefined ? 'DATA_DIR' : 'DATABASE_URL',
    /** True for an embedded database without a folder, as in a demo. */
    isInMemory: false,
    /** How long a request waits for a connection. */
    poolWaitMs: statementTimeoutMs,
    idleTransactionTimeoutMs: statementTimeoutMs,
    // Half of the time limit: a statement that waits too long for a lock can be repeated, but a statement that times
    // out is an error.
    lockTimeoutMs: Math.ceil(statementTimeoutMs / 2),
  };
}

function readTokens(env: Environment) {
  const tokens = readSettings(env, settings.tokens);
  const { secret: secrets, jwksUrl, issuer } = tokens;
  if (secrets !== undefined && jwksUrl !== undefined)
    throw new StartupError(
      'Set only one of JWT_SECRET and JWKS_URL: the server verifies tokens with one of them.',
    );
  const isHttpUrl = /^https?:$/.test(URL.parse(issuer ?? '')?.protocol ?? '');
  if (secrets === undefined && jwksUrl === undefined && issuer !== undefined && !isHttpUrl)
    throw new StartupError(
      'JWT_ISSUER must be a URL that starts with https:// or http://, where the keys of the issuer are found, unless JWT_SECRET or JWKS_URL is set.',
    );
  const [secret, previousSecret, ...others] = secrets?.split('\n').filter((line) => line !== '') ?? [];
  if (others.length > 0)
    throw new StartupError('JWT_SECRET must have at most two secrets, one on each line.');
  for (const each of [secret, previousSecret])
    if (each !== undefined && Buffer.byteLength(each) < 32)
      throw new StartupError('JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).');
  // The previous secret still verifies tokens until all signers use the new one.
  return { ...tokens, secret, previousSecret };
}

function readAgents(env: Environment) {
  const agents = readSettings(env, settings.agents);
  const { concurrency, runMs, requestsPerMinute } = agents;
  const models = readServers(env, settings.modelServer, 63);
  if (models.some(({ name }) => name === 'builtin'))
    throw new StartupError(
      'AGENT_RUNTIME_BUILTIN_URL names a model server like the built-in runtime. Rename it.',
    );
  return {
    ...agents,
    /** The model servers for agents, in addition to the built-in runtime. */
    models,
    /** The runtime of agents that name none. */
    defaultRuntime: models.some(({ name }) => name === 'default') ? 'default' : 'builtin',
    // Model servers limit tool names to 64 characters: the skill's name, two underscores and the tool's name.
    mcpSkills: readServers(env, settings.skillServer, 32),
    /** How many model steps a run may take. */
    stepsMax: 10,
    /** How many workers of a runtime only take runs of users without an active run. */
    keptWorkers: Math.min(2, Math.floor(concurrency / 3)),
    // A model step or a call of an MCP tool that takes too long must leave time for the rest of the run.
    stepMs: Math.ceil(runMs * 0.4),
    toolMs: Math.ceil(runMs * 0.2),
    /** How long a run waits for decisions about its tool calls. After this time, the calls are rejected. */
    approvalMs: 7 * 86_400_000,
    // Without this limit, the queue of a caller who starts runs faster than they are executed would grow without end.
    queuedMax: 100,
    limits: {
      requestsPerCaller: requestsPerMinute,
      runsPerCaller: Math.ceil(requestsPerMinute / 10),
      runsPerAgent: Math.ceil(requestsPerMinute / 20),
    },
  };
}
