import { resolve } from 'node:path';
import { agents, modelServer, runtimes, skills, skillServer } from './agent-settings.ts';
import { choice, flag, integer, items, lines, origin, origins, scopes, text, time, url } from './parsers.ts';
import type { Settings } from './setting.ts';

const listener = {
  host: { name: 'HOST', parse: text, default: '127.0.0.1', meaning: 'Address to listen on.' },
  port: {
    name: 'PORT',
    parse: integer(0, 65_535),
    default: '3000',
    meaning: 'Port to listen on; 0 takes a free one.',
  },
  reusePort: {
    name: 'REUSE_PORT',
    parse: flag,
    default: 'false',
    meaning:
      '`true` lets several processes listen on the same port, each on a core of its own; see [Cores](#cores). It needs Linux and `DATABASE_URL`.',
  },
  shutdownDelayMs: {
    name: 'SHUTDOWN_DELAY',
    parse: time('0s', '10m'),
    default: '500ms',
    meaning: 'How long the server still accepts requests after SIGTERM, while `/readyz` answers 503.',
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
      'Connections to the Postgres server. This number of requests runs at the same time. Further requests wait: in total, twenty times this number or 400, whichever is larger, may run or wait. One user may have a quarter of both. With the embedded database, one request of each user runs at a time.',
  },
  statementTimeoutMs: {
    name: 'DATABASE_STATEMENT_TIMEOUT',
    parse: time('1ms', '10m'),
    default: '4s',
    meaning:
      'How long a statement may take, a request may wait for a connection, and a transaction may be idle. A statement may wait for a lock for half of this time.',
  },
} as const satisfies Settings;

const tokens = {
  secret: {
    name: 'JWT_SECRET',
    parse: lines,
    meaning:
      'Shared secret of the tokens (HS256), at least 32 bytes. A second line may have another secret, whose tokens are also valid. `\\n` stands for a line break; see [Changing keys](#changing-keys).',
  },
  jwksUrl: {
    name: 'JWKS_URL',
    parse: url('https:', 'http:', 'file:'),
    meaning:
      "Address of the JSON Web Key Set (JWKS) with the issuer's public keys, or `file:///path/to/keys.json`.",
  },
  issuer: {
    name: 'JWT_ISSUER',
    parse: text,
    meaning:
      'If set, every token must have this `iss`. If none of the keys above is set, the keys are found by OpenID Connect discovery at `JWT_ISSUER/.well-known/openid-configuration`.',
  },
  audience: {
    name: 'JWT_AUDIENCE',
    parse: items,
    meaning: 'If set, every token must have this `aud`, or one of several, separated by commas.',
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

const retention = {
  deletedTasksMs: {
    name: 'RETENTION_DELETED_TASKS',
    parse: time('1d', '36500d'),
    meaning:
      'How long the log of a deleted task is kept, such as `30d`, with the last state of the task. After that, only the entry of the deletion stays, without the state. If unset, logs are kept.',
  },
  sessionsMs: {
    name: 'RETENTION_SESSIONS',
    parse: time('1d', '36500d'),
    meaning:
      'A session is deleted this long after its last message, such as `90d`, with its runs and messages, unless a run is unfinished. If unset, sessions are kept.',
  },
} as const satisfies Settings;

/** All settings, in the order of the table in server/README.md. */
export const settings = {
  listener,
  database,
  retention,
  tokens,
  server,
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
