import { choice, integer, StartupError, text, url, type Environment } from '../environment.ts';
import { readNamedSettings } from '../named-settings.ts';
import { readMcpSkills, type McpSkillConfig } from './skills/mcp/config.ts';

export interface AgentsConfig {
  /** The runtime of agents that do not specify one. */
  readonly defaultRuntime: string;
  /** The model servers that agents may use, in addition to the built-in runtime. */
  readonly models: readonly ModelConfig[];
  /** The MCP servers whose tools agents may use as skills. */
  readonly mcpSkills: readonly McpSkillConfig[];
  /** How many runs this process executes at the same time. */
  readonly concurrency: number;
  /** How many runs of one user all processes together execute at the same time. */
  readonly concurrencyPerUser: number;
  /** The time limit of a run, without the time in which it waits for approvals. */
  readonly runMs: number;
  /** The time limit of one step of a model. */
  readonly stepMs: number;
  /** The time limit of one call of a tool of an MCP server. */
  readonly toolMs: number;
  readonly stepsMax: number;
  /** How many unfinished runs a caller may have. */
  readonly queuedMax: number;
  /** How long a request waits for a run if it has no preference. */
  readonly waitMs: number;
  /** How many requests may wait for runs or follow them in this process; each caller may have a tenth of them. */
  readonly waitersMax: number;
  readonly limits: RateLimitConfig;
}

export interface ModelConfig {
  /** The name by which agents select this runtime. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
}

/** Requests per minute; 0 means no limit. */
export interface RateLimitConfig {
  readonly runsPerCaller: number;
  readonly runsPerAgent: number;
  readonly requestsPerCaller: number;
}

export function readAgentsConfig(env: Environment): AgentsConfig {
  const perMinute = { min: 0, max: 1_000_000 };
  const models = modelConfigs(env);
  const runtimes = ['builtin', ...models.map(({ name }) => name)];
  const concurrency = integer(env, 'AGENT_CONCURRENCY', { fallback: 8, min: 1, max: 100 });
  // One user leaves a quarter of a process to the others. With a single worker, that is impossible.
  const perUser = { fallback: Math.max(2, Math.ceil(concurrency * 0.75)), min: 1, max: 10_000 };
  return {
    defaultRuntime: choice(env, 'AGENT_DEFAULT_RUNTIME', runtimes, 'builtin'),
    models,
    mcpSkills: readMcpSkills(env),
    concurrency,
    concurrencyPerUser: integer(env, 'AGENT_CONCURRENCY_PER_USER', perUser),
    runMs: integer(env, 'AGENT_RUN_TIMEOUT_MS', { fallback: 300_000, min: 1, max: 3_600_000 }),
    stepMs: integer(env, 'AGENT_STEP_TIMEOUT_MS', { fallback: 120_000, min: 1, max: 3_600_000 }),
    toolMs: integer(env, 'AGENT_TOOL_TIMEOUT_MS', { fallback: 60_000, min: 1, max: 3_600_000 }),
    stepsMax: integer(env, 'AGENT_MAX_STEPS', { fallback: 10, min: 1, max: 1000 }),
    queuedMax: integer(env, 'AGENT_MAX_QUEUED_RUNS', { fallback: 100, min: 1, max: 100_000 }),
    waitMs: integer(env, 'AGENT_WAIT_MS', { fallback: 120_000, min: 0, max: 3_600_000 }),
    waitersMax: integer(env, 'AGENT_MAX_WAITERS', { fallback: 500, min: 1, max: 100_000 }),
    limits: {
      runsPerCaller: integer(env, 'RATE_LIMIT_RUNS_PER_CALLER', { fallback: 60, ...perMinute }),
      runsPerAgent: integer(env, 'RATE_LIMIT_RUNS_PER_AGENT', { fallback: 30, ...perMinute }),
      requestsPerCaller: integer(env, 'RATE_LIMIT_REQUESTS_PER_CALLER', { fallback: 600, ...perMinute }),
    },
  };
}

function modelConfigs(env: Environment): ModelConfig[] {
  const named = {
    list: 'AGENT_RUNTIMES',
    prefix: 'AGENT_RUNTIME',
    suffixes: ['URL', 'MODEL', 'KEY'],
    kind: 'model server',
    reserved: 'builtin',
  };
  return readNamedSettings(env, named, (name, prefix) => {
    const baseUrl = url(env, `${prefix}_URL`, ['http:', 'https:']);
    const model = text(env, `${prefix}_MODEL`);
    if (baseUrl === undefined || model === undefined) {
      throw new StartupError(
        `AGENT_RUNTIMES lists "${name}", so ${prefix}_URL and ${prefix}_MODEL must be set to its address and its model.`,
      );
    }
    return { name, baseUrl, apiKey: text(env, `${prefix}_KEY`), model };
  });
}
