import { bearerKey, choice, integer, serverNames, text, time, url, urlWithoutUser } from './parsers.ts';
import type { Settings } from './setting.ts';

export const agents = {
  concurrency: {
    name: 'AGENT_CONCURRENCY',
    parse: integer(1, 100),
    default: '8',
    meaning:
      'How many runs of each runtime this process executes at the same time. Users with the fewest active runs come first. Two workers are kept free for users without an active run; with fewer than 6 workers, a third of them. A run whose model has sent nothing for 10 s does not count, until four times as many runs are executed.',
  },
  runMs: {
    name: 'AGENT_RUN_TIMEOUT',
    parse: time('1ms', '1h'),
    default: '5m',
    meaning:
      'Time limit of a run, not counting waits for approvals. A step of its model may take two fifths of this time, not counting pauses for a busy or unreachable model server. A tool call to an MCP server may take a fifth.',
  },
  approvalMs: {
    name: 'AGENT_APPROVAL_TIMEOUT',
    parse: time('1ms', '365d'),
    default: '7d',
    meaning:
      'How long a run waits for decisions about its tool calls. After this time, the calls are rejected within a minute, and the run continues.',
  },
  requestsPerMinute: {
    name: 'AGENT_REQUESTS_PER_MINUTE',
    parse: integer(0, 1_000_000),
    default: '600',
    meaning:
      'How many requests about agents and sessions a caller may send in a minute. A caller may start a tenth of this number of runs, and a twentieth of it for one agent. 0 means no limit.',
  },
  tokensPerUserMax: {
    name: 'AGENT_TOKENS_PER_USER',
    parse: integer(1, 1_000_000_000),
    meaning:
      'The largest number of model tokens that the runs of a user may use in a day. The day begins with the first run. If a model server does not report the tokens of a request, three bytes count as one token. After the last token, new runs of models get 429, and a run in progress fails before its next step. If unset, the number is not limited.',
  },
} as const satisfies Settings;

export const runtimes = {
  names: {
    name: 'AGENT_RUNTIMES',
    parse: serverNames(63),
    default: 'builtin',
    meaning:
      'Names of model servers, separated by commas, such as `local,cloud`. The first one is the default runtime of agents. With `builtin,local`, the default is the built-in runtime.',
  },
} as const satisfies Settings;

/** The settings of each model server in `AGENT_RUNTIMES`. */
export const modelServer = {
  baseUrl: {
    name: 'AGENT_RUNTIME_<NAME>_URL',
    parse: url('http:', 'https:'),
    isRequired: true,
    meaning:
      'Address of the model server, with `/v1`. Redirects are not followed. `<NAME>` is the name in capitals, with `_` for `-`.',
  },
  model: {
    name: 'AGENT_RUNTIME_<NAME>_MODEL',
    parse: text,
    isRequired: true,
    meaning: 'Name of the model.',
  },
  apiKey: {
    name: 'AGENT_RUNTIME_<NAME>_KEY',
    parse: bearerKey,
    meaning: 'Key of the model server, if it requires one. Never logged.',
  },
  contextTokens: {
    name: 'AGENT_RUNTIME_<NAME>_CONTEXT',
    parse: integer(1024, 100_000_000),
    meaning:
      'Size of the context window in tokens, for the request and the answer together. Three bytes count as one token. Requests are shortened to fit. If unset, up to 512 KiB of a conversation are sent. If the server refuses that, older turns are left out.',
  },
} as const satisfies Settings;

export const skills = {
  names: {
    name: 'MCP_SKILLS',
    // Model servers accept names of up to 64 characters. A tool's name has the skill's name, two underscores and its
    // own name.
    parse: serverNames(32),
    default: '',
    meaning:
      'Names of MCP servers, separated by commas, such as `files,crm`. Agents have them as the skills `mcp:files` and `mcp:crm`; see [Skills](mcp.md#skills-from-mcp-servers).',
  },
} as const satisfies Settings;

/** The settings of each MCP server in `MCP_SKILLS`. */
export const skillServer = {
  url: {
    name: 'MCP_SKILL_<NAME>_URL',
    parse: urlWithoutUser,
    isRequired: true,
    meaning: 'Address of the MCP server.',
  },
  token: {
    name: 'MCP_SKILL_<NAME>_TOKEN',
    parse: bearerKey,
    meaning: 'The bearer token for the MCP server, if it requires one. Never logged.',
  },
  approval: {
    name: 'MCP_SKILL_<NAME>_APPROVAL',
    parse: choice('always', 'writes', 'never'),
    default: 'writes',
    meaning:
      "Which calls wait for the user's approval: all calls (`always`), calls of tools without `readOnlyHint` (`writes`), or none (`never`).",
  },
} as const satisfies Settings;
