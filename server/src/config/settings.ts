import { resolve } from 'node:path';
import { agents, modelServer, runtimes, skills, skillServer } from './agent-settings.ts';
import { choice, flag, integer, lines, origin, origins, scopes, text, url } from './parsers.ts';
import type { Settings } from './setting.ts';

const listener = {
  host: { name: 'HOST', parse: text, default: '127.0.0.1', meaning: 'Address to listen on.' },
  port: {
    name: 'PORT',
    parse: integer(0, 65_535),
    default: '3000',
    meaning: 'Port to listen on; 0 takes a free one.',
  },
  requestTimeoutMs: {
    name: 'REQUEST_TIMEOUT_MS',
    parse: integer(1000, 600_000),
    default: '30000',
    meaning:
      'How long a client may take to send a request (its head at most 10 s), and how long it may read nothing of a response. After this time, its connection is closed.',
  },
  shutdownDelayMs: {
    name: 'SHUTDOWN_DELAY_MS',
    parse: integer(0, 600_000),
    default: '500',
    meaning: 'How long the server still accepts requests after SIGTERM, while `/readyz` answers 503.',
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    parse: integer(0, 600_000),
    default: '10000',
    meaning: 'How long requests in flight may then take to finish.',
  },
} as const satisfies Settings;

const database = {
  url: {
    name: 'DATABASE_URL',
    parse: url('postgres:', 'postgresql:'),
    meaning:
      'A Postgres server (`postgres://user:password@host:5432/database`) instead of the embedded database. It must include the name of the database. Time limits and an application name in it are ignored.',
  },
  poolSize: {
    name: 'DATABASE_POOL_SIZE',
    parse: integer(1, 1000),
    default: '20',
    meaning:
      'Connections to the Postgres server. This number of requests runs at the same time. Further requests wait: in total, twenty times this number or 400, whichever is larger, may run or wait. One user may have a quarter of both. The job queue has up to 3 more connections. With the embedded database, one request of each user runs at a time.',
  },
  statementTimeoutMs: {
    name: 'DATABASE_STATEMENT_TIMEOUT_MS',
    parse: integer(1, 600_000),
    default: '4000',
    meaning:
      'How long a statement may take, a request may wait for a connection, and a transaction may be idle. A statement may wait for a lock for half of this time.',
  },
  preparedStatements: {
    name: 'DATABASE_PREPARED_STATEMENTS',
    parse: flag,
    default: 'true',
    meaning: '`false` if a pooler cannot keep prepared statements; see [PgBouncer](#pgbouncer).',
  },
} as const satisfies Settings;

const tokens = {
  secret: {
    name: 'JWT_SECRET',
    parse: lines,
    meaning:
      'Shared secret of the tokens (HS256), at least 32 bytes. A second line may have another secret, whose tokens are also valid. `\\n` stands for a line break; see [Changing keys](#changing-keys).',
  },
  publicKeys: {
    name: 'JWT_PUBLIC_KEY',
    parse: lines,
    meaning:
      'One or more public keys in PEM form (RS256, ES256 or EdDSA), one after the other. `\\n` stands for a line break.',
  },
  jwksUrl: {
    name: 'JWKS_URL',
    parse: url('https:', 'http:'),
    meaning: "Address of the JSON Web Key Set (JWKS) with the issuer's public keys.",
  },
  keysStaleMs: {
    name: 'JWKS_STALE_MS',
    parse: integer(0, 7 * 86_400_000),
    default: '3600000',
    meaning:
      'How long the keys of an issuer stay valid while they cannot be fetched again: an hour by default. This includes keys that the issuer withdraws in this time.',
  },
  issuer: {
    name: 'JWT_ISSUER',
    parse: text,
    meaning:
      'If set, every token must have this `iss`. If none of the keys above is set, the keys are found by OpenID Connect discovery at `JWT_ISSUER/.well-known/openid-configuration`.',
  },
  audience: {
    name: 'JWT_AUDIENCE',
    parse: text,
    meaning: 'If set, every token must have this `aud`.',
  },
} as const satisfies Settings;

const server = {
  dataDir: {
    name: 'DATA_DIR',
    parse: (path: string) => resolve(path),
    default: './data',
    meaning: 'Folder of the embedded database and of the local key.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    parse: origin,
    meaning:
      'The address at which clients reach the servers, such as `https://tasks.example.com`. If `JWT_ISSUER` is also set, `JWT_AUDIENCE` is required, and MCP clients find the issuer through this address; see [Assistants](mcp.md#assistants).',
  },
  mcpMayDelete: {
    name: 'MCP_DELETE',
    parse: flag,
    default: 'false',
    meaning:
      '`true` gives MCP clients the tool `delete_task`, which they call without an approval. Agents always have this tool, and wait for the approval of their user.',
  },
  mcpScopes: {
    name: 'MCP_SCOPES',
    parse: scopes,
    default: '',
    meaning:
      'Scopes that MCP clients should request from the issuer, such as `openid profile`. The server announces these scopes, but does not require them in tokens.',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    parse: origins,
    default: '',
    meaning:
      'Origins of pages that may call the server, such as `https://app.example.com` or `capacitor://localhost`, each in full, separated by commas. If unset, CORS is off.',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    parse: text,
    meaning: 'The bearer token for `/metrics`. If unset, everyone may read the metrics.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    parse: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  },
  tasksPerUserMax: {
    name: 'MAX_TASKS_PER_USER',
    parse: integer(1, 2 ** 31 - 1),
    meaning:
      'The largest number of tasks of a user. A request for more tasks gets 400. If unset, the number is not limited.',
  },
} as const satisfies Settings;

const charts = {
  workers: {
    name: 'CHART_WORKERS',
    parse: integer(1, 256),
    default: '2',
    meaning:
      'Processes that render PNG and PDF. For each process, 80 pictures of 800 by 600 pixels may wait. One user may have a quarter of the waiting pictures.',
  },
} as const satisfies Settings;

const retention = {
  deletedTasksDays: {
    name: 'RETENTION_DELETED_TASKS_DAYS',
    parse: integer(1, 36_500),
    meaning:
      'How many days the log of a deleted task is kept, with the last state of the task. After that, only the entry of the deletion stays, without the state. If unset, logs are kept.',
  },
  sessionsDays: {
    name: 'RETENTION_SESSIONS_DAYS',
    parse: integer(1, 36_500),
    meaning:
      'A session is deleted this number of days after its last message, with its runs and messages, unless a run is unfinished. If unset, sessions are kept.',
  },
} as const satisfies Settings;

/** All settings, in the order of the table in server/README.md. */
export const settings = {
  listener,
  database,
  retention,
  tokens,
  server,
  charts,
  agents,
  runtimes,
  modelServer,
  skills,
  skillServer,
};

/** The variable of a setting, with `<NAME>` for the names of servers. */
export type SettingName = NameOf<typeof settings>;

type NameOf<Groups extends Readonly<Record<string, Settings>>> = {
  [Key in keyof Groups]: Groups[Key][keyof Groups[Key]]['name'];
}[keyof Groups];
