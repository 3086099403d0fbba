import { followRun } from './follow-run.ts';
import * as operations from './generated/operations.ts';
import type { RequestOptions, RunStreamOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import type { Run, RunEvent, RunQuery, ToolCallDecision } from './resources.ts';
import type { Result } from './response.ts';
import { sleep } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** Operations on runs, which `client.agents` starts. */
export interface Runs {
  /**
   * List runs. Returns the caller's runs, newest first. All filters must match. The runs that wait for decisions of the
   * caller have the status `requires_action`.
   *
   * @example
   * for await (const { id, required_action } of client.runs.list({ status: 'requires_action' })) {
   *   console.log(id, required_action?.tool_calls);
   * }
   */
  list(query?: RunQuery, options?: RequestOptions): Paginator<Run>;
  /**
   * Get a run. Returns a run of the caller. With `Accept: text/event-stream` the response streams the run: its messages
   * so far, then its events as they happen, until the run is finished or requires action. With `Last-Event-ID`, the
   * messages up to that event are left out. The stream also ends when the token is refused, after an hour, or when the
   * server stops. `stream` follows that stream.
   *
   * @example
   * const run = await client.runs.get('019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d');
   * console.log(run.status, run.output);
   */
  get(id: string, options?: RequestOptions): Result<Run>;
  /**
   * Follows a run by its id, wherever it was started: first its messages so far, then its events as they happen. With
   * `until: 'finished'`, the stream continues while the run requires action. A stream that breaks is opened again at
   * the same position. With `lastEventId`, the stream begins after the message whose event has this `id`. Leaving the
   * loop does not stop the run.
   *
   * @example
   * for await (const event of client.runs.stream('019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d', { until: 'finished' })) {
   *   if (event.event === 'message') console.log(event.data.role, event.data.content);
   * }
   */
  stream(id: string, options?: RunStreamOptions): AsyncIterable<RunEvent>;
  /**
   * Cancel a run. Ends an unfinished run. It writes nothing more, and the next run of its session starts. Its effects
   * stay, and the text that its model was writing is kept as a `partial` message. A run that has already ended is
   * returned unchanged, so repeating the request is harmless.
   *
   * @example
   * const run = await client.runs.cancel('019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d');
   * console.log(run.status);
   */
  cancel(id: string, options?: RequestOptions): Result<Run>;
  /**
   * Decide about tool calls. Approves or rejects the tool calls in `required_action` of the run. The run continues when
   * all of them are decided. An approved call is executed, with other `arguments` if the decision has them, and its
   * audit entry names the user who approved it. A rejected call fails with the reason. All decisions of a request take
   * effect, or none. A request is 400 if it names a call that is not waiting, contradicts an earlier decision, or has
   * arguments that the tool's schema refuses. Repeating a decision is harmless. With the `scope` `session`, an approval
   * holds for all later calls of the tool in the session. If an MCP server has changed the tool since the user was
   * asked, the call waits again. Calls that are undecided at `expires_at` are rejected, and the run continues.
   *
   * @example
   * const run = await client.runs.get('019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d');
   * const calls = run.required_action?.tool_calls ?? [];
   * const decisions = calls.map(({ id, name }) => ({ tool_call_id: id, approve: name !== 'assign_task' }));
   * await client.runs.approve(run.id, decisions);
   */
  approve(id: string, decisions: readonly ToolCallDecision[], options?: RequestOptions): Result<Run>;
  /**
   * Polls a run every second until it has ended or requires action, and returns it. With `deadlineMs`, throws a
   * `TimeoutError` after this time; the run continues.
   *
   * @example
   * const run = await client.runs.wait('019aa601-4e32-7b21-9c3d-2e3f4a5b6c7d', { deadlineMs: 300_000 });
   * console.log(run.status, run.output);
   */
  wait(id: string, options?: RequestOptions): Promise<Run>;
}

const pollIntervalMs = 1_000;

export function createRuns(transport: Transport): Runs {
  const { send } = transport;
  const get: Runs['get'] = (id, options) => send(operations.getRun, { path: { id }, options });
  return {
    list: (query, options) => paginate(send, operations.listRuns, { query, options }, ({ runs }) => runs),
    get,
    stream: (id, { until = 'requires_action', ...options } = {}) => ({
      [Symbol.asyncIterator]: () => followRun(transport, { ...options, run: { id }, until, hasBegun: false }),
    }),
    cancel: (id, options) => send(operations.cancelRun, { path: { id }, options }),
    approve: (id, decisions, options) =>
      send(operations.decideToolCalls, { path: { id }, body: { decisions }, options }),
    wait: async (id, options = {}) => {
      const endMs = Date.now() + (options.deadlineMs ?? Infinity);
      // Without `deadlineMs`, the client's deadline applies to each request.
      const limited = endMs === Infinity ? options : { ...options, deadlineAtMs: endMs };
      for (;;) {
        const run = await get(id, limited);
        if (!['queued', 'running'].includes(run.status)) return run;
        await sleep(pollIntervalMs, endMs, options.signal);
      }
    },
  };
}
