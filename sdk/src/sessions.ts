import type { EventNames } from './event-stream.ts';
import { completeEvent } from './follow-run.ts';
import * as operations from './generated/operations.ts';
import type { RequestOptions, SessionStreamOptions } from './options.ts';
import { paginate, type Paginator } from './paginator.ts';
import type { RequestParts } from './request.ts';
import type {
  DeletedSession,
  Message,
  MessageQuery,
  Session,
  SessionEvent,
  SessionQuery,
  SessionUpdate,
} from './resources.ts';
import type { Result } from './response.ts';
import { followStream } from './shared-stream.ts';
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
   * List messages of a session. Returns the messages of the session, oldest first unless `sort` says otherwise. With
   * `Accept: text/event-stream` the response stays open, and sends each message and each change of a run within about a
   * second, whichever device has started the run. The stream begins with the messages after `Last-Event-ID` or `after`,
   * the unfinished runs and the latest run; other parameters are ignored. The text that a model is writing is in the
   * stream of its run. The stream ends when the token is refused, after an hour, or when the server stops or the
   * session is deleted. `follow` follows it.
   *
   * @example
   * for await (const message of client.sessions.listMessages('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e')) {
   *   console.log(message.role, message.content);
   * }
   */
  listMessages(id: string, query?: MessageQuery, options?: RequestOptions): Paginator<Message>;
  /**
   * Follows a session: first its messages so far, then each new message, and each run when it starts and changes, on any
   * device. A stream that breaks is opened again at the same position. The loop continues until you leave it or its
   * signal aborts. A deleted session throws a `NotFoundError`, or a `BadRequestError` if its id has been used again.
   *
   * @example
   * for await (const { event, data } of client.sessions.follow('019aa601-4e32-7c00-8d4e-3f4a5b6c7d8e')) {
   *   console.log(event === 'message' ? data.content : data.status);
   * }
   */
  follow(id: string, options?: SessionStreamOptions): AsyncIterable<SessionEvent>;
}

export function createSessions(transport: Transport): Sessions {
  const { send } = transport;
  return {
    list: (query, options) =>
      paginate(send, operations.listSessions, { query, options }, ({ sessions }) => sessions),
    get: (id, options) => send(operations.getSession, { path: { id }, options }),
    update: (id, body, options) => send(operations.updateSession, { path: { id }, body, options }),
    delete: (id, options) => send(operations.deleteSession, { path: { id }, options }),
    listMessages: (id, query, options) =>
      paginate(send, operations.listMessages, { path: { id }, query, options }, ({ messages }) => messages),
    follow: (id, options = {}) => ({
      [Symbol.asyncIterator]: () => followSession(transport, id, options),
    }),
  };
}

const sessionEvents: EventNames<SessionEvent> = { message: false, run: false };

/** The events of a session's stream. A stream that breaks is opened again at the same position. */
function followSession(
  transport: Transport,
  id: string,
  { after, lastEventId, ...options }: SessionStreamOptions,
): AsyncGenerator<SessionEvent, void, undefined> {
  let position = lastEventId;
  return followStream<SessionEvent>(
    transport,
    ['session', id, after, lastEventId],
    () => ({
      operation: operations.listMessages,
      names: sessionEvents,
      parts: () =>
        ({
          path: { id },
          query: { after },
          headers: { 'Last-Event-ID': position },
        }) satisfies RequestParts<'listMessages'>,
      complete: (event, limited) => completeEvent(transport, event, limited),
      accept(event) {
        // With a message in `after`, the server refuses to continue in another session that has got the same id.
        if (event.event !== 'message') return true;
        position = event.id;
        after = event.data.id;
        return true;
      },
    }),
    options,
  );
}
