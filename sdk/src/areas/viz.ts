import { createClientOf, type ClientOf } from '../base-client.ts';
import type { ClientOptions } from '../options.ts';
import { createViz, type Viz } from '../viz.ts';

/** A client that has only charts. */
export type Client = ClientOf<{ readonly viz: Viz }>;

/** Creates a client for charts only. Its code is smaller than `createClient` of `@worktable/sdk`. */
export function createClient(options: ClientOptions): Client {
  return createClientOf(options, (transport) => ({ viz: createViz(transport) }));
}
