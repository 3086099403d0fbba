import { createAgentAreas, type AgentAreas } from '../agents.ts';
import { createClientOf, type BaseClient } from '../base-client.ts';
import type { ClientOptions } from '../options.ts';

/** A client that has only agents, runtimes, runs and sessions. */
export interface Client extends BaseClient<Client>, AgentAreas {}

/**
 * Creates a client for agents, runtimes, runs and sessions only. Its code is smaller than `createClient` of
 * `@worktable/sdk`.
 */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, createAgentAreas);
}
