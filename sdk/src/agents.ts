import * as operations from './generated/operations.ts';
import type { IdempotentOptions, RequestOptions, RunOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import type {
  Agent,
  AgentCreate,
  AgentQuery,
  AgentUpdate,
  DeletedAgent,
  Run,
  RunEvent,
  RunRequest,
  RuntimeList,
} from './resources.ts';
import type { Result } from './response.ts';
import { streamRun } from './follow-run.ts';
import { createRuns, type Runs } from './runs.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Transport } from './transport.ts';

/** Agents, and everything that belongs to them. */
export interface AgentAreas {
  readonly agents: Agents;
  readonly runtimes: Runtimes;
  readonly runs: Runs;
  readonly sessions: Sessions;
}

/** Operations on agents and their runs. */
export interface Agents {
  /**
   * List agents. Returns the caller's agents, newest first.
   *
   * @example
   * for await (const agent of client.agents.list()) console.log(agent.id, agent.name);
   */
  list(query?: AgentQuery, options?: RequestOptions): Paginator<Agent>;
  /**
   * Create an agent. Creates an agent that belongs to the caller. Any runtime name is accepted.
   *
   * @example
   * const agent = await client.agents.create({ name: 'Planner', skills: ['tasks', 'viz'] });
   */
  create(agent: AgentCreate, options?: IdempotentOptions): Result<Agent>;
  /**
   * Get an agent. Returns an agent of the caller.
   *
   * @example
   * const agent = await client.agents.get('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c');
   * console.log(agent.name, agent.status);
   */
  get(id: string, options?: RequestOptions): Result<Agent>;
  /**
   * Update an agent. Merges the given fields into the agent: an absent field keeps its value; null or an empty text
   * clears `instructions`, and returns `runtime` to the default of the server; `model_options` are replaced as a whole.
   * Other fields are ignored, so a fetched agent can be sent back. A body without a usable field is 400
   * `No fields to update`. A run keeps its runtime; other changes apply when the server next begins or resumes it.
   *
   * @example
   * await client.agents.update('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', { instructions: 'Be brief.' });
   */
  update(id: string, changes: AgentUpdate, options?: RequestOptions): Result<Agent>;
  /**
   * Delete an agent. The agent is archived: it is no longer listed, and requests to read, change or run it get 404. Its
   * sessions stay readable for as long as the server keeps sessions. Its unfinished runs continue; cancel them or
   * delete their sessions to end them.
   *
   * @example
   * await client.agents.delete('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c');
   */
  delete(id: string, options?: RequestOptions): Result<DeletedAgent>;
  /**
   * Run an agent. Starts a run, which is one turn of the agent, and responds with the run once it is finished. With
   * `Prefer: respond-async`, or when the time of `Prefer: wait=N` (120 seconds by default) has passed, the response is
   * 202 with the unfinished run, which continues in the background. With `Accept: text/event-stream` the response
   * streams the events of the run. A run continues when its client disconnects. The runs of one session are executed
   * one after the other, in the order of their requests. If the session is deleted during the wait, the response is the
   * cancelled run; a repeated request with the same `Idempotency-Key` is 404 `Run not found`. A run that waits for
   * decisions about its tool calls is 202 with the status `requires_action`. To stream the events, call `stream`.
   *
   * @example
   * const run = await client.agents.run('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', { input: 'create a task titled Buy milk' });
   * console.log(run.status, run.output);
   */
  run(id: string, request: RunRequest, options?: RunOptions): Result<Run>;
  /**
   * Run an agent and stream its events. The run starts when iteration starts, and the stream can be iterated once.
   * Leaving the loop does not stop the run. A stream that breaks is opened again at the same position. The iteration
   * ends with `run.completed`, `run.incomplete`, `run.failed`, `run.cancelled` or `run.requires_action`, or throws.
   *
   * @example
   * const request = { input: 'chart my tasks by status' };
   * for await (const event of client.agents.stream('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', request)) {
   *   if (event.event === 'message.delta') console.log(event.data.text);
   *   if (event.event === 'run.completed') console.log(event.data.output);
   * }
   */
  stream(id: string, request: RunRequest, options?: IdempotentOptions): AsyncIterable<RunEvent>;
}

/** The operation that lists the runtimes and skills that agents can have. */
export interface Runtimes {
  /**
   * List runtimes. Returns what agents of this server can have: the runtimes, and the skills with their tools. The
   * tools of an MCP server are from a list of the last five minutes. Without such a list, the MCP server is asked, for
   * at most two seconds.
   *
   * @example
   * const { runtimes, skills } = await client.runtimes.list();
   * console.log(runtimes.find(({ is_default }) => is_default)?.name, skills.map(({ name }) => name));
   */
  list(options?: RequestOptions): Result<RuntimeList>;
}

export function createAgentAreas(transport: Transport): AgentAreas {
  const { send } = transport;
  return {
    agents: {
      list: (query, options) =>
        paginate(send, operations.listAgents, { query, options }, ({ agents }) => agents),
      create: (body, options) => send(operations.createAgent, { body, options }),
      get: (id, options) => send(operations.getAgent, { path: { id }, options }),
      update: (id, body, options) => send(operations.updateAgent, { path: { id }, body, options }),
      delete: (id, options) => send(operations.deleteAgent, { path: { id }, options }),
      run: (id, body, options = {}) => {
        const { timeoutMs = Math.max(transport.options.timeoutMs, runTimeoutMs(options)) } = options;
        return send(operations.runAgent, { path: { id }, body, options: { ...options, timeoutMs } });
      },
      stream: (id, request, options = {}) => streamRun(transport, id, request, options),
    },
    runtimes: { list: (options) => send(operations.listRuntimes, { options }) },
    runs: createRuns(transport),
    sessions: createSessions(transport),
  };
}

/** The time for which the server waits for the run, plus 30 seconds for the transfer. */
function runTimeoutMs({ prefer = 'wait=120' }: RunOptions): number {
  return (Number.parseInt(prefer.slice('wait='.length)) || 0) * 1_000 + 30_000;
}
