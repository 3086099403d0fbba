import { jsonBody } from './json-body.ts';
import { idempotent, retryable } from './options.ts';
import type { IdempotentOptions, RequestOptions, RunOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import { pathParams } from './parameters.ts';
import type { Agent, AgentCreate, AgentQuery, Run, RunEvent, RunRequest } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { streamRun } from './run-stream.ts';
import type { Sessions } from './sessions.ts';
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
   * Run an agent. Starts a run, which is one turn of the agent, and responds with the run once it is finished. With
   * `Prefer: respond-async`, or when the time of `Prefer: wait=N` (120 seconds by default) has passed, the response is 202
   * with the unfinished run, which continues in the background. With `Accept: text/event-stream` the response streams the
   * events of the run. A run continues when its client disconnects. The runs of one session are executed one after the
   * other, in the order of their requests. To stream the events, call `stream`.
   *
   * @example
   * const run = await client.agents.run('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', { input: 'create a task titled Buy milk' });
   * console.log(run.status, run.output);
   */
  run(id: string, request: RunRequest, options?: RunOptions): Result<Run>;
  /**
   * Run an agent and stream its events. The run starts when iteration starts, and the stream can be iterated once. Leaving
   * the loop does not stop the run. If the connection breaks, the remaining messages are read from the session. The
   * iteration ends with `run.completed` or `run.failed`, or throws.
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

export function createAgents(transport: Transport, sessions: Sessions): Agents {
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
      streamRun(transport, sessions, { id, body: jsonBody(request), options }),
  };
}

/** The time that the server waits for the run, plus 30 seconds for the transfer. */
function runTimeoutMinMs(prefer = 'wait=120'): number {
  const [, waitS = '0'] = /^wait=(\d+)/.exec(prefer) ?? [];
  return Number(waitS) * 1_000 + 30_000;
}
