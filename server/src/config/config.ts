import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { StartupError } from '../startup-error.ts';
import { readServers } from './named-servers.ts';
import { readSettings, type Environment, type ValuesOf } from './setting.ts';
import { settings } from './settings.ts';

export interface Config extends ValuesOf<typeof settings.server> {
  /** How many requests may run or wait for their turn. */
  readonly concurrentRequestsMax: number;
  /** How many requests may wait for runs, follow runs or stream changes. */
  readonly waitingRequestsMax: number;
  /** The memory of bodies that are being received, and of responses that clients have not read yet. */
  readonly bufferedBytesMax: number;
  readonly listener: ListenerConfig;
  readonly database: DatabaseConfig;
  readonly retention: ValuesOf<typeof settings.retention>;
  readonly tokens: TokenConfig;
  readonly agents: AgentsConfig;
  readonly charts: ChartsConfig;
}

export type LogLevel = Config['logLevel'];

export interface ListenerConfig extends ValuesOf<typeof settings.listener> {
  /** How long a client may take to send a request, and how long it may read nothing of a response. */
  readonly requestTimeoutMs: number;
  /** How long requests in flight may take to finish after the port is closed. */
  readonly shutdownTimeoutMs: number;
  /** The host names that a Host header may have. Only a demo restricts them. */
  readonly hosts?: readonly string[] | undefined;
}

export interface DatabaseConfig extends ValuesOf<typeof settings.database> {
  /** True for an embedded database without a folder, as in a demo. */
  readonly isInMemory: boolean;
  /** How long a request waits for a connection. */
  readonly poolWaitMs: number;
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs: number;
  /** How long a transaction may be idle. */
  readonly idleTransactionTimeoutMs: number;
}

export interface TokenConfig extends ValuesOf<typeof settings.tokens> {
  /** The secret before `secret`. It still verifies tokens while their signers change. */
  readonly previousSecret: string | undefined;
}

export interface AgentsConfig extends ValuesOf<typeof settings.agents> {
  /** The runtime of agents that name none. */
  readonly defaultRuntime: string;
  /** The model servers for agents, in addition to the built-in runtime. */
  readonly models: readonly ModelConfig[];
  /** The MCP servers whose tools agents may use as skills. */
  readonly mcpSkills: readonly McpSkillConfig[];
  /** How many model steps a run may take. */
  readonly stepsMax: number;
  /** How many workers only take runs of users without an active run. */
  readonly keptWorkers: number;
  /** The time limit of a step of a model. */
  readonly stepMs: number;
  /** The time limit of a tool call to an MCP server. */
  readonly toolMs: number;
  /** How many unfinished runs a caller may have. */
  readonly queuedMax: number;
  readonly limits: RateLimitConfig;
}

export interface ModelConfig extends ValuesOf<typeof settings.modelServer> {
  /** The name by which agents select this runtime. */
  readonly name: string;
}

/** An MCP server whose tools are the skill `mcp:<name>`. Only the operator sets its address. */
export interface McpSkillConfig extends ValuesOf<typeof settings.skillServer> {
  readonly name: string;
}

/** Requests per minute; 0 means no limit. */
export interface RateLimitConfig {
  readonly runsPerCaller: number;
  readonly runsPerAgent: number;
  readonly requestsPerCaller: number;
}

interface ChartsConfig {
  /** The number of processes that render PNG and PDF. */
  readonly workers: number;
  /** How many charts of the default size may wait for a render process. */
  readonly queueMax: number;
}

/** Reads the environment. Throws a StartupError for the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  const tokens = readTokens(env);
  const server = readSettings(env, settings.server);
  if (server.publicUrl !== undefined && tokens.issuer !== undefined && tokens.audience === undefined)
    throw new StartupError(
      'With PUBLIC_URL and JWT_ISSUER, JWT_AUDIENCE must be set, so that tokens for other services of the issuer are refused. Usually it is PUBLIC_URL with /mcp at its end.',
    );
  const database = readDatabase(env);
  const times = { requestTimeoutMs: 30_000, shutdownTimeoutMs: 10_000 };
  const listener = { ...readSettings(env, settings.listener), ...times };
  const workers = Math.min(availableParallelism(), chartWorkersMax);
  if (listener.reusePort && database.url === undefined)
    throw new StartupError(
      'REUSE_PORT needs DATABASE_URL, because only one process can use the embedded database.',
    );
  return {
    ...server,
    concurrentRequestsMax: Math.max(400, database.poolSize * 20),
    waitingRequestsMax: 2000,
    bufferedBytesMax: bufferedBytesMax(),
    tokens,
    listener,
    database,
    retention: readSettings(env, settings.retention),
    agents: readAgents(env),
    // A process paints 80 charts of the default size in less than a second.
    charts: { workers, queueMax: workers * 80 },
  };
}

// A render process takes up to 150 MB.
const chartWorkersMax = 4;

/** A sixth of the heap, from 16 to 256 MiB. One caller's share, a quarter of this, has room for the largest body. */
function bufferedBytesMax(): number {
  const sixth = Math.floor(getHeapStatistics().heap_size_limit / 6);
  return Math.min(Math.max(sixth, 16 * 2 ** 20), 256 * 2 ** 20);
}

function readDatabase(env: Environment): DatabaseConfig {
  const database = readSettings(env, settings.database);
  const { statementTimeoutMs } = database;
  return {
    ...database,
    isInMemory: false,
    poolWaitMs: statementTimeoutMs,
    idleTransactionTimeoutMs: statementTimeoutMs,
    // Half of the time limit: a statement that waits too long for a lock can be repeated, but a statement that times
    // out is an error.
    lockTimeoutMs: Math.ceil(statementTimeoutMs / 2),
  };
}

function readTokens(env: Environment): TokenConfig {
  const tokens = readSettings(env, settings.tokens);
  const { secret: secrets, jwksUrl, issuer } = tokens;
  if (secrets !== undefined && jwksUrl !== undefined)
    throw new StartupError(
      'Set only one of JWT_SECRET and JWKS_URL: the server verifies tokens with one of them.',
    );
  if (secrets === undefined && jwksUrl === undefined && issuer !== undefined && !isHttpUrl(issuer))
    throw new StartupError(
      'JWT_ISSUER must be a URL that starts with https:// or http://, where the keys of the issuer are found, unless JWT_SECRET or JWKS_URL is set.',
    );
  const [secret, previousSecret, ...others] = secrets?.split('\n').filter((line) => line !== '') ?? [];
  if (others.length > 0)
    throw new StartupError('JWT_SECRET must have at most two secrets, one on each line.');
  for (const each of [secret, previousSecret]) assertLongEnough(each);
  return { ...tokens, secret, previousSecret };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function assertLongEnough(secret: string | undefined): void {
  if (secret !== undefined && Buffer.byteLength(secret) < 32)
    throw new StartupError('JWT_SECRET must have at least 32 bytes (RFC 7518 requires this for HS256).');
}

function readAgents(env: Environment): AgentsConfig {
  const agents = readSettings(env, settings.agents);
  const { concurrency, runMs, requestsPerMinute } = agents;
  const runtimes = readSettings(env, settings.runtimes).names;
  const models = runtimes.filter((name) => name !== 'builtin');
  const skills = readSettings(env, settings.skills).names;
  return {
    ...agents,
    stepsMax: 10,
    defaultRuntime: runtimes[0] ?? 'builtin',
    models: readServers(env, models, { listedIn: 'AGENT_RUNTIMES', group: settings.modelServer }),
    mcpSkills: readServers(env, skills, { listedIn: 'MCP_SKILLS', group: settings.skillServer }),
    keptWorkers: Math.min(2, Math.floor(concurrency / 3)),
    // One step or tool that takes too long must leave time for the rest of the run.
    stepMs: Math.ceil(runMs * 0.4),
    toolMs: Math.ceil(runMs * 0.2),
    // Without this limit, the queue of a caller who starts runs faster than they are executed would grow without end.
    queuedMax: 100,
    limits: {
      requestsPerCaller: requestsPerMinute,
      runsPerCaller: Math.ceil(requestsPerMinute / 10),
      runsPerAgent: Math.ceil(requestsPerMinute / 20),
    },
  };
}
