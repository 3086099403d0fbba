import { choice, integer, StartupError, text, url, type Environment } from '../environment.ts';

export interface AgentsConfig {
  /** The runtime of agents that name none. */
  readonly defaultRuntime: string;
  /** The model servers that agents may use, beside the built-in runtime. */
  readonly models: readonly ModelConfig[];
  /** How many runs this process works on at a time. */
  readonly concurrency: number;
  /** How long a run may take from its first step. */
  readonly runMs: number;
  /** How long a model may take for one step. */
  readonly stepMs: number;
  readonly stepsMax: number;
  /** How many unfinished runs a caller may have. */
  readonly queuedMax: number;
  /** How long a caller waits for a run without saying so. */
  readonly waitMs: number;
  /** How many requests may wait for runs or follow them in this process; a tenth of them for each caller. */
  readonly waitersMax: number;
  readonly limits: RateLimitConfig;
}

export interface ModelConfig {
  /** The name by which agents choose this runtime. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
}

/** Requests a minute; 0 for no limit. */
export interface RateLimitConfig {
  readonly runsPerCaller: number;
  readonly runsPerAgent: number;
  readonly requestsPerCaller: number;
}

export function readAgentsConfig(env: Environment): AgentsConfig {
  const perMinute = { min: 0, max: 1_000_000 };
  const models = modelConfigs(env);
  const runtimes = ['builtin', ...models.map(({ name }) => name)];
  return {
    defaultRuntime: choice(env, 'AGENT_DEFAULT_RUNTIME', runtimes, 'builtin'),
    models,
    concurrency: integer(env, 'AGENT_CONCURRENCY', { fallback: 8, min: 1, max: 100 }),
    runMs: integer(env, 'AGENT_RUN_TIMEOUT_MS', { fallback: 300_000, min: 1, max: 3_600_000 }),
    stepMs: integer(env, 'AGENT_STEP_TIMEOUT_MS', { fallback: 120_000, min: 1, max: 3_600_000 }),
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
  const names = (text(env, 'AGENT_RUNTIMES') ?? '').split(',').flatMap((name) => name.trim() || []);
  const models = names.map((name) => modelConfig(env, name));
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated !== undefined) throw new StartupError(`AGENT_RUNTIMES lists "${repeated}" more than once.`);
  refuseUnlisted(env, names.map(prefixOf));
  return models;
}

/** Settings of a model server that is not listed would do nothing. */
function refuseUnlisted(env: Environment, prefixes: readonly string[]): void {
  const unlisted = Object.keys(env).find((variable) => {
    const prefix = /^(AGENT_RUNTIME_.+)_(?:URL|MODEL|KEY)$/.exec(variable)?.[1];
    return prefix !== undefined && !prefixes.includes(prefix) && text(env, variable) !== undefined;
  });
  if (unlisted === undefined) return;
  throw new StartupError(`${unlisted} is set, but AGENT_RUNTIMES does not list its model server.`);
}

function prefixOf(name: string): string {
  return `AGENT_RUNTIME_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The model server called `name`; its variables carry the name in capitals. */
function modelConfig(env: Environment, name: string): ModelConfig {
  if (!/^[a-z][a-z0-9-]{0,62}$/.test(name) || name === 'builtin') {
    throw new StartupError(
      `AGENT_RUNTIMES lists "${name}", but a name has lower-case letters, digits and "-", and "builtin" is taken.`,
    );
  }
  const prefix = prefixOf(name);
  const baseUrl = url(env, `${prefix}_URL`, ['http:', 'https:']);
  const model = text(env, `${prefix}_MODEL`);
  if (baseUrl === undefined || model === undefined) {
    throw new StartupError(
      `AGENT_RUNTIMES lists "${name}", so ${prefix}_URL and ${prefix}_MODEL must say where it is and which model.`,
    );
  }
  return { name, baseUrl, apiKey: text(env, `${prefix}_KEY`), model };
}
