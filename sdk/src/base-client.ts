import { getMe } from './generated/operations.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { resolveOptions } from './resolve-options.ts';
import type { Caller } from './resources.ts';
import type { Result } from './response.ts';
import { createTransport, type Transport } from './transport.ts';

/** The members of a client that belong to no area. */
export interface BaseClient<Client> {
  /**
   * Get the caller. The user of the token, when it expires, and the limits of the user's requests.
   *
   * @example
   * const { name, token_expires_at } = await client.me();
   * console.log(name, token_expires_at);
   */
  me(options?: RequestOptions): Result<Caller>;
  /**
   * A client with the same options except for `changes`. The `headers` and `fetchOptions` in `changes` are added to the
   * options of this client.
   */
  withOptions(changes: Partial<ClientOptions>): Client;
}

export type ClientOf<Areas> = Areas & BaseClient<ClientOf<Areas>>;

/** Creates a client with these areas. */
export function createClientOf<Areas extends object>(
  options: ClientOptions,
  createAreas: (transport: Transport) => Areas,
): ClientOf<Areas> {
  const transport = createTransport(resolveOptions(options));
  return {
    ...createAreas(transport),
    me: (callOptions) => transport.send(getMe, { options: callOptions }),
    withOptions: ({ headers, fetchOptions, ...changes }) => {
      const added = {
        headers: { ...options.headers, ...headers },
        fetchOptions: { ...options.fetchOptions, ...fetchOptions },
      };
      return createClientOf({ ...options, ...changes, ...added }, createAreas);
    },
  };
}
