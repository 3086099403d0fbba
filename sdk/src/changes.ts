import { ConnectionError } from './errors.ts';
import type { EventNames } from './event-stream.ts';
import { followedWorkspace } from './field-filters.ts';
import * as operations from './generated/operations.ts';
import type { ChangeOptions, RequestOptions } from './options.ts';
import type { Paginator } from './paginator.ts';
import type { StreamSource } from './reopened-stream.ts';
import { withoutErrors } from './resolve-options.ts';
import type { RequestParts } from './request.ts';
import type {
  AuditDetails,
  AuditLogEntry,
  Change,
  ChangeEvent,
  ChangeList,
  ChangeListQuery,
  ChangeQuery,
  Task,
  TaskQuery,
} from './resources.ts';
import type { Result } from './response.ts';
import { followStream } from './shared-stream.ts';
import type { Transport } from './transport.ts';

/** Operations on the changes of all tasks of the caller. */
export interface TaskChanges {
  /**
   * List changes. The audit entries of all tasks of the caller, including deleted tasks, in the order in which they
   * were recorded, oldest first. To keep a copy, call it again with `after` set to `next`: no change is missed or
   * repeated. A change is listed when no earlier change can appear any more, so it may be delayed by the longest write
   * in progress. With `Accept: text/event-stream` the response stays open and sends each change within about a second.
   * The stream ends when the token is refused, after an hour, or when the server stops; a client continues it with
   * `Last-Event-ID`. The `EventSource` of browsers sends no token, so it cannot read the stream. `changes` follows that
   * stream.
   *
   * @example
   * const { changes, next } = await client.tasks.listChanges({ after: '0' });
   * console.log(changes.length, next);
   */
  listChanges(query: ChangeListQuery, options?: RequestOptions): Result<ChangeList>;
  /**
   * Follows the changes of all tasks of the caller as they happen. Each change comes once, and the changes of a task
   * come in order. The loop continues until you leave it, its signal aborts or `deadlineMs` has passed. A stream that
   * breaks is opened again at the same position. Keep the `cursor` of the last change to continue from it after a
   * restart. In a browser, the tabs of a user can share one stream.
   *
   * @example
   * for await (const change of client.tasks.changes({ after: 'now' })) {
   *   console.log(change.task_id, change.action, change.cursor);
   * }
   */
  changes(query: ChangeQuery, options?: ChangeOptions): AsyncIterable<Change>;
  /**
   * Reads all tasks of a list, and the position after which `changes` continues. A change during the read may be both
   * in the list and in `changes`, with the same `etag`. `onPage` receives the tasks of each page as it arrives.
   *
   * @example
   * const { tasks, after } = await client.tasks.snapshot({ workspace_id: 'home' });
   * for await (const change of client.tasks.changes({ after, workspace_id: 'home', include: 'task' })) {
   *   console.log(tasks.length, change.task);
   * }
   */
  snapshot(query?: SnapshotQuery, options?: SnapshotOptions): Promise<Snapshot>;
}

/** The filters, the order and the page size (by default 1,000) of `tasks.snapshot`. */
export type SnapshotQuery = Omit<TaskQuery, 'offset' | 'cursor'>;

/** Options of `tasks.snapshot`. */
export interface SnapshotOptions extends RequestOptions {
  readonly onPage?: ((tasks: readonly Task[]) => void) | undefined;
}

/** The tasks of a list, and the position after which their changes begin. */
export interface Snapshot {
  readonly tasks: Task[];
  readonly after: string;
}

export function createChanges(
  transport: Transport,
  list: (query: TaskQuery, options?: RequestOptions) => Paginator<Task>,
): TaskChanges {
  const listChanges: TaskChanges['listChanges'] = (query, options) =>
    transport.send(operations.listChanges, { query, options });
  return {
    listChanges,
    snapshot: async ({ limit = 1_000, ...filters } = {}, { onPage, ...options } = {}) => {
      // Read the position first, so that no change between the position and the list is missed.
      const start = { after: 'now', limit: 1, workspace_id: followedWorkspace(filters) };
      const { next } = await listChanges(start, options);
      const tasks: Task[] = [];
      for await (const { items } of list({ ...filters, limit }, options).pages()) {
        tasks.push(...items);
        onPage?.(items);
      }
      return { tasks, after: next };
    },
    changes: (query, options = {}) => follow(transport, query, options),
  };
}

/**
 * Parses the payload of an audit entry or a change: what was changed, and for whom.
 *
 * @example
 * import { payloadOf } from '@worktable/sdk';
 *
 * for await (const change of client.tasks.changes({ after: 'now' })) {
 *   console.log(payloadOf(change).changes?.['status']?.to);
 * }
 */
export function payloadOf({ payload }: Pick<AuditLogEntry, 'payload'>): AuditDetails {
  // Not validated, because the contract defines this JSON.
  return JSON.parse(payload) as AuditDetails;
}

// The number of changes to remember. When another tab takes over the stream, fewer than this arrive twice.
const seenMax = 10_000;

/**
 * Yields the changes after a position. If tabs share the stream, each tab reads the changes that it has missed whenever
 * the stream is opened, so it does not matter which tab holds the stream.
 */
async function* follow(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { onState: report, ...options }: ChangeOptions,
): AsyncGenerator<Change, void, undefined> {
  const onState = withoutErrors(report);
  const limited = { ...options, deadlineAtMs: Date.now() + (options.deadlineMs ?? Infinity) };
  let isShared = false;
  const sourceOf = (shared: boolean): StreamSource<ChangeEvent> => {
    isShared = shared;
    return streamOf(transport, { ...filters, after: shared ? 'now' : after }, shared);
  };
  const events = followStream(transport, [filters], sourceOf, { ...limited, onState });
  const seen = new Set<string>();
  const isNew = ({ id }: Change): boolean => {
    const isFirst = !seen.has(id);
    const [oldest = id] = seen.add(id);
    if (seen.size > seenMax) seen.delete(oldest);
    return isFirst;
  };
  let position = after === 'now' ? undefined : after;
  for await (const { event, data } of events) {
    if (event === 'change' && isNew(data)) {
      position = data.cursor;
      yield data;
    }
    if (event === 'change') continue;
    position ??= data.cursor;
    for (let isBehind = isShared; isBehind;) {
      const query: ChangeListQuery = { ...filters, after: position, limit: 1000 };
      // Retries without limit, because the stream itself reports to all tabs that the server is unreachable.
      const reading = { query, options: { ...limited, retriesMax: Infinity } };
      const { changes, next } = await transport.send(operations.listChanges, reading);
      yield* changes.filter(isNew);
      isBehind = changes.length > 0 && next !== position;
      position = next;
    }
    onState({ state: 'live' });
  }
}

const changeEvents: EventNames<ChangeEvent> = { ready: false, change: false };

/** The stream of changes. Its `ready` event names a position, and the changes after that position follow. */
function streamOf(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  isShared: boolean,
): StreamSource<ChangeEvent> {
  const query = (): ChangeQuery & { limit: number } => ({ ...filters, after, limit: 1 });
  return {
    operation: operations.listChanges,
    names: changeEvents,
    parts: () => ({ query: query() }) satisfies RequestParts<'listChanges'>,
    async complete(event, options) {
      const { changes } = await transport.send(operations.listChanges, { query: query(), options });
      const [change] = changes;
      if (change?.cursor === event.id) return { event: 'change', id: event.id, data: change };
      // The server may have deleted the entry. After this error, the stream is opened again and skips a deleted entry.
      throw new ConnectionError('The change cannot be read.');
    },
    accept({ data }) {
      after = data.cursor;
      return true;
    },
    past: () => (after === 'now' ? [] : [{ event: 'ready', id: after, data: { cursor: after } }]),
    // Before its first event, a stream from "now" has no position to continue from.
    mayPause: () => !isShared && after !== 'now',
  };
}
