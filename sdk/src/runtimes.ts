import { retryable } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { RuntimeList } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** The operation that lists what agents can have. */
export interface Runtimes {
  /**
   * List runtimes. Returns what agents of this server can have: the runtimes, and the skills with their tools. The
   * tools of an MCP server are from its list of the last five minutes. If there is none, the server is asked, for at
   * most two seconds.
   *
   * @example
   * const { runtimes, skills } = await client.runtimes.list();
   * console.log(runtimes.find(({ is_default }) => is_default)?.name, skills.map(({ name }) => name));
   */
  list(options?: RequestOptions): Result<RuntimeList>;
}

export function createRuntimes({ api, send }: Transport): Runtimes {
  return {
    list: (options) =>
      resultOf(send(retryable('listRuntimes', options), (init) => api.GET('/v1/runtimes', { ...init }))),
  };
}
