import { readChunks } from './chunks.ts';
import { ConnectionError, WorktableError } from './errors.ts';
import { eventStreamBody, parseEventStream, type EventNames } from './event-stream.ts';
import { retryable } from './call.ts';
import type { RequestOptions } from './options.ts';
import type { Change, ChangeEvent, ChangeList, ChangeListQuery, ChangeQuery } from './resources.ts';
import { resultOf, type Result } from './result.ts';
import { retryDelayMs } from './retries.ts';
import { remainingMs, sleep, throwIfAborted } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

/** Operations on the changes of all tasks of the caller. */
export interface TaskChanges {
  /**
   * List changes. The audit entries of all tasks of the caller in the order in which they were recorded, oldest first,
   * including those of deleted tasks. To keep a copy, call it again with `after` set to `next`: no change is missed or
   * repeated. A change is listed once no earlier one can appear, which takes as long as the longest write in progress. With
   * `Accept: text/event-stream` the response stays open and sends each change within about a second. The stream ends
   * when the token expires, after an hour, or when the server stops; `EventSource` then continues by itself with
   * `Last-Event-ID`. `changes` follows that stream.
   *
   * @example
   * const { changes, next } = await client.tasks.listChanges({ after: '0' });
   * console.log(changes.length, next);
   */
  listChanges(query: ChangeListQuery, options?: RequestOptions): Result<ChangeList>;
  /**
   * Follows the changes of all tasks of the caller as they happen: each once, those of one task in their order. The loop
   * continues until it is left, its signal aborts or `deadlineMs` is over; a stream that breaks is opened again where it
   * ended. Keep the `cursor` of the last change to continue from it after a restart.
   *
   * @example
   * for await (const change of client.tasks.changes({ after: 'now' })) {
   *   console.log(change.task_id, change.action, change.cursor);
   * }
   */
  changes(query: ChangeQuery, options?: RequestOptions): AsyncIterable<Change>;
}

export function createChanges(transport: Transport): TaskChanges {
  const { api, send } = transport;
  return {
    listChanges: (query, options) =>
      resultOf(
        send(retryable('listChanges', options), (init) =>
          api.GET('/api/changes', { ...init, params: { query } }),
        ),
      ),
    changes: (query, options) => followChanges(transport, query, options),
  };
}

type ChangeEvents = AsyncGenerator<ChangeEvent, void, undefined>;

/** Follows the changes of tasks. Opens a stream again where it ended, unless its error is one that a retry cannot fix. */
async function* followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { deadlineMs = Infinity, ...options }: RequestOptions = {},
): AsyncGenerator<Change, void, undefined> {
  const deadlineAtMs = Date.now() + deadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    let end: unknown = new ConnectionError('The stream ended.');
    try {
      const limits = { deadlineMs: remainingMs(deadlineAtMs), retriesMax: 0 };
      const { data: events, limit } = await openStream(
        transport,
        { ...filters, after },
        { ...options, ...limits },
      );
      try {
        for await (const { event, data } of events) {
          throwIfAborted(options.signal);
          attempt = 0;
          after = data.cursor;
          if (event === 'change') yield data;
        }
      } finally {
        limit.end();
      }
    } catch (error) {
      end =
        error instanceof WorktableError ? error : new ConnectionError('The stream broke.', { cause: error });
    }
    const nowMs = Date.now();
    const delayMs = retryDelayMs(end, Math.max(1, attempt), { random: Math.random(), nowMs });
    if (delayMs === undefined || nowMs + delayMs >= deadlineAtMs) throw end;
    await sleep(delayMs, options.signal);
  }
}

function openStream(
  { api, open }: Transport,
  query: ChangeQuery,
  options: RequestOptions,
): Promise<OpenResponse<ChangeEvents>> {
  const call = retryable('listChanges', options, { Accept: 'text/event-stream, application/problem+json' });
  return open<ChangeEvents>(call, async (init, limit) => {
    const request = { ...init, params: { query: { ...query, limit: 1 } }, parseAs: 'stream' } as const;
    const { data, error, response } = await api.GET('/api/changes', request);
    if (!response.ok) return { error, response };
    const events = parseEventStream<ChangeEvent>(
      readChunks(eventStreamBody(response, data), limit),
      changeEvents,
    );
    return { data: events, response };
  });
}

const changeEvents: EventNames<ChangeEvent> = { ready: true, change: true };
