import { createAgentAreas, type AgentAreas } from './agents.ts';
import { createClientOf, type BaseClient } from './base-client.ts';
import type { ClientOptions } from './options.ts';
import { createTasks, type Tasks } from './tasks.ts';
import { createViz, type Viz } from './viz.ts';

/** The operations of the service, grouped by area. */
export interface Client extends BaseClient<Client>, AgentAreas {
  readonly tasks: Tasks;
  readonly viz: Viz;
}

/**
 * Creates a client for one server and one user.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: 'eyJhbGciOi…' });
 * const task = await client.tasks.create({ title: 'Buy milk' });
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, (transport) => ({
    tasks: createTasks(transport),
    viz: createViz(transport),
    ...createAgentAreas(transport),
  }));
}
