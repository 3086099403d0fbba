import { retryable, type RequestOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import { pathParams, listParams } from './parameters.ts';
import type { Message, MessageQuery, Session } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Operations on sessions (conversations with an agent) and their messages. */
export interface Sessions {
  /**
   * Get a session. Returns a session with its latest run. Poll it while a run is unfinished.
   *
   * @example
   * const session = await client.sessions.get('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e');
   * console.log(session.status, session.run?.output);
   */
  get(id: string, options?: RequestOptions): Result<Session>;
  /**
   * List messages of a session. Returns the messages of the session, oldest first.
   *
   * @example
   * for await (const message of client.sessions.listMessages('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e')) {
   *   console.log(message.role, message.content);
   * }
   */
  listMessages(id: string, query?: MessageQuery, options?: RequestOptions): Paginator<Message>;
}

export function createSessions({ api, send }: Transport): Sessions {
  return {
    get: (id, options) =>
      resultOf(
        send(retryable('getSession', options), (init) =>
          api.GET('/v1/sessions/{id}', { ...init, ...pathParams(id) }),
        ),
      ),
    listMessages: (id, query = {}, options) =>
      paginate(
        query,
        (page) =>
          send(retryable('listMessages', options), (init) =>
            api.GET('/v1/sessions/{id}/messages', {
              ...init,
              ...listParams(id, { ...query, ...page }),
            }),
          ),
        ({ messages, count }) => ({ items: messages, count }),
      ),
  };
}
