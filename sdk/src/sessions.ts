import { retryable, retryableAfterRefusal } from './call.ts';
import { jsonBody } from './json-body.ts';
import type { RequestOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import { listParams, pathParams } from './parameters.ts';
import type {
  DeletedSession,
  Message,
  MessageQuery,
  Session,
  SessionQuery,
  SessionUpdate,
} from './resources.ts';
import { resultOf, type Result } from './result.ts';
import type { Transport } from './transport.ts';

/** Operations on sessions (conversations with an agent) and their messages. */
export interface Sessions {
  /**
   * List sessions. Returns the caller's sessions, the one with the latest activity first. Both filters must match. A session
   * that becomes active moves to the front of the list.
   *
   * @example
   * for await (const session of client.sessions.list({ status: 'running' })) console.log(session.id, session.updated_at);
   */
  list(query?: SessionQuery, options?: RequestOptions): Paginator<Session>;
  /**
   * Get a session. Returns a session with its latest run. Poll it while a run is unfinished.
   *
   * @example
   * const session = await client.sessions.get('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e');
   * console.log(session.status, session.run?.output);
   */
  get(id: string, options?: RequestOptions): Result<Session>;
  /**
   * Update a session. Merges the given fields into the session: an absent field keeps its value; null or an empty text
   * clears it. Other fields are ignored, so a fetched session can be sent back. A body without a usable field is 400
   * `No fields to update`. `updated_at` is the time of the latest message, so an update does not move the session to the
   * front of the list.
   *
   * @example
   * await client.sessions.update('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e', { title: 'Groceries' });
   */
  update(id: string, changes: SessionUpdate, options?: RequestOptions): Result<Session>;
  /**
   * Delete a session. Deletes the session with its messages and runs. Unfinished runs are cancelled and write nothing
   * more. The changes that runs have made to tasks stay. A later run may use the id for a new session.
   *
   * @example
   * await client.sessions.delete('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e');
   */
  delete(id: string, options?: RequestOptions): Result<DeletedSession>;
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
    list: (query = {}, options) =>
      paginate(
        query,
        (page) =>
          send(retryable('listSessions', options), (init) =>
            api.GET('/v1/sessions', { ...init, params: { query: page } }),
          ),
        ({ sessions }) => ({ items: sessions }),
      ),
    get: (id, options) =>
      resultOf(
        send(retryable('getSession', options), (init) =>
          api.GET('/v1/sessions/{id}', { ...init, ...pathParams(id) }),
        ),
      ),
    update: (id, changes, options) => {
      const call = retryableAfterRefusal('updateSession', options);
      const body = jsonBody(changes);
      return resultOf(
        send(call, (init) => api.PUT('/v1/sessions/{id}', { ...init, ...pathParams(id), ...body })),
      );
    },
    delete: (id, options) =>
      resultOf(
        send(retryable('deleteSession', options), (init) =>
          api.DELETE('/v1/sessions/{id}', { ...init, ...pathParams(id) }),
        ),
      ),
    listMessages: (id, query = {}, options) =>
      paginate(
        query,
        (page) =>
          send(retryable('listMessages', options), (init) =>
            api.GET('/v1/sessions/{id}/messages', {
              ...init,
              ...listParams(id, page),
            }),
          ),
        ({ messages, count }) => ({ items: messages, count }),
      ),
  };
}
