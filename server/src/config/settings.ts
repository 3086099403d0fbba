import { resolve } from 'node:path';
import {
  bearerKey,
  choice,
  flag,
  integer,
  items,
  lines,
  origin,
  origins,
  scopes,
  time,
  url,
} from './parsers.ts';
import type { Settings } from './setting.ts';

const listener = {
  host: { name: 'HOST', parse: String, default: '127.0.0.1' },
  port: { name: 'PORT', parse: integer(0, 65_535), default: '3000' },
  reusePort: { name: 'REUSE_PORT', parse: flag, default: 'false' },
  shutdownDelayMs: { name: 'SHUTDOWN_DELAY', parse: time('0s', '10m'), default: '500ms' },
} as const satisfies Settings;

const database = {
  url: { name: 'DATABASE_URL', parse: url('postgres:', 'postgresql:') },
  poolSize: { name: 'DATABASE_POOL_SIZE', parse: integer(1, 1000), default: '20' },
  statementTimeoutMs: { name: 'DATABASE_STATEMENT_TIMEOUT', parse: time('1ms', '10m'), default: '4s' },
} as const satisfies Settings;

const tokens = {
  secret: { name: 'JWT_SECRET', parse: lines },
  jwksUrl: { name: 'JWKS_URL', parse: url('https:', 'http:', 'file:') },
  issuer: { name: 'JWT_ISSUER', parse: String },
  audience: { name: 'JWT_AUDIENCE', parse: items },
} as const satisfies Settings;

const server = {
  dataDir: { name: 'DATA_DIR', parse: (path: string) => resolve(path), default: './data' },
  publicUrl: { name: 'PUBLIC_URL', parse: origin },
  mcpScopes: { name: 'MCP_SCOPES', parse: scopes, default: '' },
  corsOrigins: { name: 'CORS_ORIGINS', parse: origins, default: '' },
  logLevel: {
    name: 'LOG_LEVEL',
    parse: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
  },
  tasksPerUserMax: { name: 'MAX_TASKS_PER_USER', parse: integer(1, 2 ** 31 - 1) },
} as const satisfies Settings;

const retention = {
  deletedTasksMs: { name: 'RETENTION_DELETED_TASKS', parse: time('1d', '36500d') },
  sessionsMs: { name: 'RETENTION_SESSIONS', parse: time('1d', '36500d') },
} as const satisfies Settings;

const agents = {
  concurrency: { name: 'AGENT_CONCURRENCY', parse: integer(1, 100), default: '8' },
  runMs: { name: 'AGENT_RUN_TIMEOUT', parse: time('1ms', '1h'), default: '5m' },
  requestsPerMinute: { name: 'AGENT_REQUESTS_PER_MINUTE', parse: integer(0, 1_000_000), default: '600' },
  tokensPerUserMax: { name: 'AGENT_TOKENS_PER_USER', parse: integer(1, 1_000_000_000) },
} as const satisfies Settings;

/** The settings of each model server, which is a runtime of agents. The variables contain the server's name. */
const modelServer = {
  baseUrl: { name: 'AGENT_RUNTIME_<NAME>_URL', parse: url('http:', 'https:'), isRequired: true },
  model: { name: 'AGENT_RUNTIME_<NAME>_MODEL', parse: String, isRequired: true },
  apiKey: { name: 'AGENT_RUNTIME_<NAME>_KEY', parse: bearerKey },
  contextTokens: { name: 'AGENT_RUNTIME_<NAME>_CONTEXT', parse: integer(1024, 100_000_000) },
} as const satisfies Settings;

/** The settings of each MCP server, the skill `mcp:<name>` of agents. The variables contain the server's name. */
const skillServer = {
  url: { name: 'MCP_SKILL_<NAME>_URL', parse: url('https:', 'http:'), isRequired: true },
  token: { name: 'MCP_SKILL_<NAME>_TOKEN', parse: bearerKey },
  approval: {
    name: 'MCP_SKILL_<NAME>_APPROVAL',
    parse: choice('always', 'writes', 'never'),
    default: 'writes',
  },
} as const satisfies Settings;

/** All settings, in the order of the table in server/settings.md. */
export const settings = { listener, database, retention, tokens, server, agents, modelServer, skillServer };
