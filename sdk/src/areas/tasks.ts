import { createClientOf, type ClientOf } from '../base-client.ts';
import type { ClientOptions } from '../options.ts';
import { createTasks, type Tasks } from '../tasks.ts';

/** A client that has only tasks. */
export type Client = ClientOf<{ readonly tasks: Tasks }>;

/** Creates a client for tasks only. Its code is smaller than `createClient` of `@worktable/sdk`. */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, (transport) => ({ tasks: createTasks(transport) }));
}
