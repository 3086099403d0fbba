import { createClientOf, type BaseClient } from '../base-client.ts';
import type { ClientOptions } from '../options.ts';
import { createViz, type Viz } from '../viz.ts';

/** A client that has only charts. */
export interface Client extends BaseClient<Client> {
  readonly viz: Viz;
}

/** Creates a client that has only charts, in less code than `createClient` of `@worktable/sdk`. */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, (transport) => ({ viz: createViz(transport) }));
}
