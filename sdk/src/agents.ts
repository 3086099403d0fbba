import { jsonBody } from './json-body.ts';
import { keyedCall, repeatableCall } from './options.ts';
import type { KeyedOptions, RequestOptions, RunOptions } from './options.ts';
import { listing, type Listing } from './pages.ts';
import { at } from './parameters.ts';
import type { Agent, AgentCreate, AgentQuery, Run, RunEvent, RunRequest } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { streamRun } from './run-stream.ts';
import type { Sessions } from './sessions.ts';
import type { Transport } from './transport.ts';

/** Definitions that can be run. */
export interface Agents {
  /**
   * List agents. The caller's agents, newest first.
   *
   * @example
   * for await (const agent of client.agents.list()) console.log(agent.id, agent.name);
   */
  list(query?: AgentQuery, options?: RequestOptions): Listing<Agent>;
  /**
   * Create an agent. Creates an agent that belongs to the caller. Any runtime name is accepted.
   *
   * @example
   * const agent = await client.agents.create({ name: 'Planner', skills: ['tasks', 'viz'] });
   */
  create(agent: AgentCreate, options?: KeyedOptions): Result<Agent>;
  /**
   * Run an agent. Gives the agent one turn. The answer is the finished run; with `Prefer: respond-async`, or once the time of
   * `Prefer: wait=N` (120 seconds by default) is over, it is 202 with the unfinished run, which goes on. With
   * `Accept: text/event-stream` the turn is told event by event. A client that leaves does not stop the run. The runs of
   * one session go one after the other, in the order in which they were asked for. For a stream, call `stream`.
   *
   * @example
   * const run = await client.agents.run('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', { input: 'create a task titled Buy milk' });
   * console.log(run.status, run.output);
   */
  run(id: string, request: RunRequest, options?: RunOptions): Result<Run>;
  /**
   * Run an agent and hear of it event by event. The run starts with the iteration, of which there is one; leaving the loop
   * does not stop it. When the connection breaks, the messages that were missed are read from the session; an iteration that
   * ends without `run.completed` or `run.failed` throws.
   *
   * @example
   * const request = { input: 'chart my tasks by status' };
   * for await (const event of client.agents.stream('019aa600-3d21-7a10-8b2c-1d2e3f4a5b6c', request)) {
   *   if (event.event === 'message.delta') console.log(event.data.text);
   *   if (event.event === 'run.completed') console.log(event.data.output);
   * }
   */
  stream(id: string, request: RunRequest, options?: KeyedOptions): AsyncIterable<RunEvent>;
}

export function createAgents(transport: Transport, sessions: Sessions): Agents {
  const { api, send } = transport;
  return {
    list: (query = {}, options) => {
      const call = repeatableCall('listAgents', options);
      return listing(
        query,
        (page) => send(call, (init) => api.GET('/v1/agents', { ...init, params: { query: page } })),
        ({ agents }) => ({ items: agents }),
      );
    },
    create: (agent, options) => {
      const call = keyedCall('createAgent', options);
      const body = jsonBody(agent);
      return resultOf(send(call, (init) => api.POST('/v1/agents', { ...init, ...body })));
    },
    run: (id, request, { prefer, ...options } = {}) => {
      const call = { ...keyedCall('runAgent', options, { Prefer: prefer }), patienceMs: patienceMs(prefer) };
      const body = jsonBody(request);
      return resultOf(send(call, (init) => api.POST('/v1/agents/{id}/run', { ...init, ...at(id), ...body })));
    },
    stream: (id, request, options = {}) =>
      streamRun(transport, sessions, { id, body: jsonBody(request), options }),
  };
}

/** The server waits for the run; half a minute more is for the way. */
function patienceMs(prefer = 'wait=120'): number {
  const [, waitS = '0'] = /^wait=(\d+)/.exec(prefer) ?? [];
  return Number(waitS) * 1_000 + 30_000;
}
