import { repeatableCall, type RequestOptions } from './options.ts';
import { listing, type Listing } from './pages.ts';
import { at, listAt } from './parameters.ts';
import type { Message, MessageQuery, Session } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Conversations with agents and their messages. */
export interface Sessions {
  /**
   * Get a session. A session with its latest run; what one polls while a run goes on.
   *
   * @example
   * const session = await client.sessions.get('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e');
   * console.log(session.status, session.run?.output);
   */
  get(id: string, options?: RequestOptions): Result<Session>;
  /**
   * List messages of a session. The messages of the session, oldest first.
   *
   * @example
   * for await (const message of client.sessions.listMessages('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e')) {
   *   console.log(message.role, message.content);
   * }
   */
  listMessages(id: string, query?: MessageQuery, options?: RequestOptions): Listing<Message>;
}

export function createSessions({ api, send }: Transport): Sessions {
  return {
    get: (id, options) =>
      resultOf(
        send(repeatableCall('getSession', options), (init) =>
          api.GET('/v1/sessions/{id}', { ...init, ...at(id) }),
        ),
      ),
    listMessages: (id, query = {}, options) =>
      listing(
        query,
        (page) =>
          send(repeatableCall('listMessages', options), (init) =>
            api.GET('/v1/sessions/{id}/messages', { ...init, ...listAt(id, { ...query, ...page }) }),
          ),
        ({ messages, count }) => ({ items: messages, count }),
      ),
  };
}
