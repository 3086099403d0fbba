import { createAgentAreas, type AgentAreas } from '../agent-areas.ts';
import { createClientOf, type BaseClient } from '../base-client.ts';
import type { ClientOptions } from '../options.ts';

/** A client that has only agents, runtimes, runs and sessions. */
export interface Client extends BaseClient<Client>, AgentAreas {}

/** Creates a client that has only what belongs to agents, in less code than `createClient` of `@worktable/sdk`. */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, createAgentAreas);
}
