import { createAgents, type Agents } from './agents.ts';
import { retryable } from './call.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import type { Caller } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { createRuns, type Runs } from './runs.ts';
import { createRuntimes, type Runtimes } from './runtimes.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { resolveOptions } from './resolve-options.ts';
import { createTasks, type Tasks } from './tasks.ts';
import { createTransport } from './transport.ts';
import { createViz, type Viz } from './viz.ts';

/** The operations of the service, grouped by area. */
export interface Client {
  readonly tasks: Tasks;
  readonly viz: Viz;
  readonly agents: Agents;
  readonly runtimes: Runtimes;
  readonly runs: Runs;
  readonly sessions: Sessions;
  /**
   * Get the caller. The user of the token, when it expires, and the limits of the user's requests.
   *
   * @example
   * const { name, token_expires_at } = await client.me();
   * console.log(name, token_expires_at);
   */
  me(options?: RequestOptions): Result<Caller>;
  /** A client with the same options except for the given ones. `headers` and `fetchOptions` add to those of this client. */
  withOptions(changes: Partial<ClientOptions>): Client;
}

/**
 * Creates a client of one server, authenticated as one user.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: 'eyJhbGciOi…' });
 * const task = await client.tasks.create({ title: 'Buy milk' });
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(resolveOptions(options));
  return {
    tasks: createTasks(transport),
    viz: createViz(transport),
    agents: createAgents(transport),
    runtimes: createRuntimes(transport),
    runs: createRuns(transport),
    sessions: createSessions(transport),
    me: (options) =>
      resultOf(
        transport.send(retryable('getMe', options), (init) => transport.api.GET('/api/me', { ...init })),
      ),
    withOptions: ({ headers, fetchOptions, ...changes }) =>
      createClient({
        ...options,
        ...changes,
        headers: { ...options.headers, ...headers },
        fetchOptions: { ...options.fetchOptions, ...fetchOptions },
      }),
  };
}
