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
  text,
  time,
  url,
  urlWithoutUser,
} from './parsers.ts';
import { optional, required, withDefault, type Settings } from './setting.ts';

const listener = {
  host: withDefault('HOST', text, '127.0.0.1', 'Address to listen on.'),
  port: withDefault('PORT', integer(0, 65_535), '3000', 'Port to listen on; 0 takes a free one.'),
  reusePort: withDefault(
    'REUSE_PORT',
    flag,
    'false',
    '`true` lets several processes listen on the same port; see [Cores](install.md#cores-and-memory). It needs Linux and `DATABASE_URL`.',
  ),
  shutdownDelayMs: withDefault(
    'SHUTDOWN_DELAY',
    time('0s', '10m'),
    '500ms',
    'How long the server still accepts requests after SIGTERM, while `/readyz` answers 503.',
  ),
};

const database = {
  url: optional(
    'DATABASE_URL',
    url('postgres:', 'postgresql:'),
    'A Postgres server (`postgres://user:password@host:5432/database`) instead of the embedded database.',
  ),
  poolSize: withDefault(
    'DATABASE_POOL_SIZE',
    integer(1, 1000),
    '20',
    'Connections to the Postgres server. This number of requests runs at the same time. Twenty times this number or 400, whichever is larger, may run or wait.',
  ),
  statementTimeoutMs: withDefault(
    'DATABASE_STATEMENT_TIMEOUT',
    time('1ms', '10m'),
    '4s',
    'How long a statement may take, a request may wait for a connection, and a transaction may be idle. A statement may wait half of this time for a lock.',
  ),
};

const tokens = {
  secret: optional(
    'JWT_SECRET',
    lines,
    'Shared secret of the tokens (HS256), at least 32 bytes. A second line, after a line break or `\\n`, may have the old secret; see [Changing keys](#changing-keys).',
  ),
  jwksUrl: optional(
    'JWKS_URL',
    url('https:', 'http:', 'file:'),
    "Address of the JSON Web Key Set with the issuer's public keys, or `file:///path/to/keys.json`.",
  ),
  issuer: optional(
    'JWT_ISSUER',
    text,
    'If set, every token must have this `iss`. Without the keys above, OpenID Connect discovery finds the keys.',
  ),
  audience: optional(
    'JWT_AUDIENCE',
    items,
    'If set, every token must have this `aud`, or one of several, separated by commas.',
  ),
};

const server = {
  dataDir: withDefault(
    'DATA_DIR',
    (path: string) => resolve(path),
    './data',
    'Folder of the embedded database and of the local key.',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    origin,
    'The address at which clients reach the servers, such as `https://tasks.example.com`. With `JWT_ISSUER`, it requires `JWT_AUDIENCE`; see [Assistants](mcp.md#assistants).',
  ),
  mcpScopes: withDefault(
    'MCP_SCOPES',
    scopes,
    '',
    'Scopes that MCP clients should request from the issuer, such as `openid profile`. The server does not require them in tokens.',
  ),
  corsOrigins: withDefault(
    'CORS_ORIGINS',
    origins,
    '',
    'Origins of pages that may call the server, such as `https://app.example.com`, separated by commas. If unset, CORS is off.',
  ),
  logLevel: withDefault(
    'LOG_LEVEL',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  ),
  tasksPerUserMax: optional(
    'MAX_TASKS_PER_USER',
    integer(1, 2 ** 31 - 1),
    'The largest number of tasks of a user. A request for more tasks gets 400. Unlimited if unset.',
  ),
};

const retention = {
  deletedTasksMs: optional(
    'RETENTION_DELETED_TASKS',
    time('1d', '36500d'),
    'How long the log of a deleted task is kept, such as `30d`; see [Data](data.md#how-long-data-is-kept). If unset, logs are kept.',
  ),
  sessionsMs: optional(
    'RETENTION_SESSIONS',
    time('1d', '36500d'),
    'How long a session is kept after its last message, such as `90d`. If unset, sessions are kept.',
  ),
};

const agents = {
  concurrency: withDefault(
    'AGENT_CONCURRENCY',
    integer(1, 100),
    '8',
    'How many runs of each runtime this process executes at the same time. Two of these workers, or a third of fewer than 6, are kept for users without an active run. Up to four times as many runs are executed while their models send nothing for 10 s.',
  ),
  runMs: withDefault(
    'AGENT_RUN_TIMEOUT',
    time('1ms', '1h'),
    '5m',
    'Time limit of a run, without waits for approvals. A step of its model may take two fifths of it, and a tool call to an MCP server a fifth.',
  ),
  approvalMs: withDefault(
    'AGENT_APPROVAL_TIMEOUT',
    time('1ms', '365d'),
    '7d',
    'How long a run waits for decisions about its tool calls. After this time, the calls are rejected.',
  ),
  requestsPerMinute: withDefault(
    'AGENT_REQUESTS_PER_MINUTE',
    integer(0, 1_000_000),
    '600',
    'How many requests about agents and sessions a caller may send in a minute. A caller may start a tenth of this number of runs, and a twentieth of it for one agent. 0 means no limit.',
  ),
  tokensPerUserMax: optional(
    'AGENT_TOKENS_PER_USER',
    integer(1, 1_000_000_000),
    'The largest number of model tokens that the runs of a user may use in a day, which begins with the first run. After the last token, new runs of models get 429, and a run in progress fails before its next step. Unlimited if unset.',
  ),
  defaultRuntime: withDefault(
    'AGENT_DEFAULT_RUNTIME',
    text,
    'builtin',
    'The runtime of agents that name none: `builtin`, or the name of a model server.',
  ),
};

/** The settings of each model server, a runtime of agents. Its name is in its variables. */
const modelServer = {
  baseUrl: required(
    'AGENT_RUNTIME_<NAME>_URL',
    url('http:', 'https:'),
    'Address of the model server `<NAME>`, with `/v1`: `AGENT_RUNTIME_LOCAL_URL` makes the runtime `local`. `_` in `<NAME>` stands for `-`.',
  ),
  model: required('AGENT_RUNTIME_<NAME>_MODEL', text, 'Name of the model.'),
  apiKey: optional(
    'AGENT_RUNTIME_<NAME>_KEY',
    bearerKey,
    'Key of the model server, if it requires one. Never logged.',
  ),
  contextTokens: optional(
    'AGENT_RUNTIME_<NAME>_CONTEXT',
    integer(1024, 100_000_000),
    'Size of the context window in tokens, for the request and the answer together. Requests are shortened to fit; three bytes count as one token. If unset, up to 512 KiB of a conversation are sent.',
  ),
};

/** The settings of each MCP server, the skill `mcp:<name>` of agents. Its name is in its variables. */
const skillServer = {
  url: required(
    'MCP_SKILL_<NAME>_URL',
    urlWithoutUser,
    'Address of the MCP server `<NAME>`: `MCP_SKILL_FILES_URL` makes the skill `mcp:files`; see [Skills](mcp.md#skills-from-mcp-servers).',
  ),
  token: optional(
    'MCP_SKILL_<NAME>_TOKEN',
    bearerKey,
    'The bearer token for the MCP server, if it requires one. Never logged.',
  ),
  approval: withDefault(
    'MCP_SKILL_<NAME>_APPROVAL',
    choice('always', 'writes', 'never'),
    'writes',
    "Which calls wait for the user's approval: all calls (`always`), calls of tools without `readOnlyHint` (`writes`), or none (`never`).",
  ),
};

/** All settings, in the order of the table in server/settings.md. */
export const settings = { listener, database, retention, tokens, server, agents, modelServer, skillServer };

/** The variable of a setting, with `<NAME>` for the names of servers. */
export type SettingName = NameOf<(typeof settings)[keyof typeof settings]>;

type NameOf<Group> = Group extends Settings ? Group[keyof Group]['name'] : never;
