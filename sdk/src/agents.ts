import { jsonBody } from './json-body.ts';
import { idempotent, retryable, retryableAfterRefusal } from './call.ts';
import type { IdempotentOptions, RequestOptions, RunOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import { pathParams } from './parameters.ts';
import type {
  Agent,
  AgentCreate,
  AgentQuery,
  AgentUpdate,
  DeletedAgent,
  Run,
  RunEvent,
  RunRequest,
} from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { streamRun } from './run-stream.ts';
import type { Transport } from './transport.ts';

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
   * Update an agent. Merges the given fields into the agent: an absent field keeps its value; null or an empty text clears
   * `instructions`, and returns `runtime` to the default of the server; `model_options` are replaced as a whole. Other
   * fields are ignored, so a fetched agent can be sent back. A body without a usable field is 400 `No fields to update`. A
   * run keeps the runtime that it was started with; the other changes apply to it when a worker next starts or resumes it.
   *
   * @example
   * await client.agents.update('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', { instructions: 'Be brief.' });
   */
  update(id: string, changes: AgentUpdate, options?: RequestOptions): Result<Agent>;
  /**
   * Delete an agent. The agent is archived: it is no longer listed, and requests to read, change or run it get 404. Its
   * sessions stay readable. Its unfinished runs continue; cancel them or delete their sessions to end them.
   *
   * @example
   * await client.agents.delete('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c');
   */
  delete(id: string, options?: RequestOptions): Result<DeletedAgent>;
  /**
   * Run an agent. Starts a run, which is one turn of the agent, and responds with the run once it is finished. With
   * `Prefer: respond-async`, or when the time of `Prefer: wait=N` (120 seconds by default) has passed, the response is 202
   * with the unfinished run, which continues in the background. With `Accept: text/event-stream` the response streams the
   * events of the run. A run continues when its client disconnects. The runs of one session are executed one after the
   * other, in the order of their requests. If the session of a waiting run is deleted, the response is the cancelled run; a
   * later repetition under its `Idempotency-Key` is 404 `Run not found`. A run that waits for decisions about its tool calls
   * is 202 with the status `requires_action`. To stream the events, call `stream`.
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

export function createAgents(transport: Transport): Agents {
  const { api, send } = transport;
  return {
    list: (query = {}, options) => {
      const call = retryable('listAgents', options);
      return paginate(
        query,
        (page) => send(call, (init) => api.GET('/v1/agents', { ...init, params: { query: page } })),
        ({ agents }) => ({ items: agents }),
      );
    },
    create: (agent, options) => {
      const call = idempotent('createAgent', options);
      const body = jsonBody(agent);
      return resultOf(send(call, (init) => api.POST('/v1/agents', { ...init, ...body })));
    },
    get: (id, options) =>
      resultOf(
        send(retryable('getAgent', options), (init) =>
          api.GET('/v1/agents/{id}', { ...init, ...pathParams(id) }),
        ),
      ),
    update: (id, changes, options) => {
      const call = retryableAfterRefusal('updateAgent', options);
      const body = jsonBody(changes);
      return resultOf(
        send(call, (init) => api.PUT('/v1/agents/{id}', { ...init, ...pathParams(id), ...body })),
      );
    },
    delete: (id, options) =>
      resultOf(
        send(retryable('deleteAgent', options), (init) =>
          api.DELETE('/v1/agents/{id}', { ...init, ...pathParams(id) }),
        ),
      ),
    run: (id, request, { prefer, ...options } = {}) => {
      const call = {
        ...idempotent('runAgent', options, { Prefer: prefer }),
        timeoutMinMs: runTimeoutMinMs(prefer),
      };
      const body = jsonBody(request);
      return resultOf(
        send(call, (init) => api.POST('/v1/agents/{id}/run', { ...init, ...pathParams(id), ...body })),
      );
    },
    stream: (id, request, options = {}) =>
      streamRun(transport, { agentId: id, body: jsonBody(request), options }),
  };
}

/** The time for which the server waits for the run, plus 30 seconds for the transfer. */
function runTimeoutMinMs(prefer = 'wait=120'): number {
  const [, waitS = '0'] = /^wait=(\d+)/.exec(prefer) ?? [];
  return Number(waitS) * 1_000 + 30_000;
}
