import { keyedCall, repeatableCall } from './options.ts';
import type { KeyedOptions, RequestOptions, RunOptions } from './options.ts';
import { at } from './parameters.ts';
import type { Agent, AgentCreate, Run, RunEvent, RunRequest } from './resources.ts';
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
   * const agents = await client.agents.list();
   */
  list(options?: RequestOptions): Result<Agent[]>;
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
   * Run an agent and hear of it event by event. The run starts with the iteration; leaving the loop does not stop it. When
   * the connection breaks, the messages that were missed are read from the session; an iteration that ends without
   * `run.completed` or `run.failed` throws.
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
    list: (options) =>
      resultOf(
        send(repeatableCall('listAgents', options), (init) => api.GET('/v1/agents', { ...init })),
        ({ agents }) => agents,
      ),
    create: (body, options) =>
      resultOf(send(keyedCall('createAgent', options), (init) => api.POST('/v1/agents', { ...init, body }))),
    run: (id, body, { prefer, ...options } = {}) => {
      const call = { ...keyedCall('runAgent', options, { Prefer: prefer }), patienceMs: patienceMs(prefer) };
      return resultOf(send(call, (init) => api.POST('/v1/agents/{id}/run', { ...init, ...at(id), body })));
    },
    stream: (id, body, options = {}) => streamRun(transport, sessions, { id, body, options }),
  };
}

/** The server waits for the run; half a minute more is for the way. */
function patienceMs(prefer = 'wait=120'): number {
  const [, waitS = '0'] = /^wait=(\d+)/.exec(prefer) ?? [];
  return Number(waitS) * 1_000 + 30_000;
}
