import {
  findSharedStream,
  followChanges,
  join,
  type FollowOptions,
  type Message,
  type SharedStream,
} from './change-stream.ts';
import { followedWorkspace } from './field-filters.ts';
import * as operations from './generated/operations.ts';
import { listChanges } from './generated/operations.ts';
import type { ChangeOptions, RequestOptions } from './options.ts';
import type { Paginator } from './paginator.ts';
import { withoutErrors } from './resolve-options.ts';
import type {
  AuditDetails,
  AuditLogEntry,
  Change,
  ChangeList,
  ChangeListQuery,
  ChangeQuery,
  Task,
  TaskQuery,
} from './resources.ts';
import type { Result } from './response.ts';
import { remainingMs, startTimeLimit } from './time-limit.ts';
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
   * restart. In a browser, the tabs of a user share one stream.
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

/** The filters, the order and the page size of `tasks.snapshot`; 1,000 by default. */
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
      const { next } = await listChanges(
        { after: 'now', limit: 1, workspace_id: followedWorkspace(filters) },
        options,
      );
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

/** The changes after a position, from the stream that the tabs of a browser share, or else from a stream of its own. */
async function* follow(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { onState, ...others }: ChangeOptions,
): AsyncGenerator<Change, void, undefined> {
  const options = { ...others, onState: withoutErrors(onState) };
  const shared = await findSharedStream(transport, filters);
  if (shared !== undefined) {
    yield* sharedChanges(transport, shared, { ...filters, after }, options);
    return;
  }
  const events = followChanges(transport, { ...filters, after }, { ...options, isOfOnePage: true });
  for await (const { event, data } of events) if (event === 'change') yield data;
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
  // The contract describes this JSON.
  return JSON.parse(payload) as AuditDetails;
}

/**
 * The changes after a position, from the stream that all tabs share. When the stream is opened, each tab first reads
 * the changes that it has missed, so any tab may hold the stream.
 */
async function* sharedChanges(
  transport: Transport,
  shared: SharedStream,
  { after, ...filters }: ChangeQuery,
  { onState, deadlineMs = Infinity, ...options }: FollowOptions,
): AsyncGenerator<Change, void, undefined> {
  const deadlineAtMs = Date.now() + deadlineMs;
  const limit = startTimeLimit(Infinity, deadlineAtMs, options.signal);
  // The stream reports to all tabs that the server is unreachable.
  const page = (from: string, size: number): Promise<ChangeList> => {
    const reading = { ...options, retriesMax: Infinity, deadlineMs: remainingMs(deadlineAtMs) };
    return transport.send(listChanges, { query: { ...filters, after: from, limit: size }, options: reading });
  };
  const unread: Message[] = [];
  let wake: () => void = () => undefined;
  const leave = join(transport, shared, filters, (message) => {
    unread.push(message);
    wake();
  });
  try {
    onState({ state: 'connecting' });
    let position = after === 'now' ? (await page('now', 1)).next : after;
    let isCaughtUp = false;
    const isNew = createMemory();
    for (;;) {
      const message = unread.shift();
      if (message === undefined) await limit.race(() => new Promise<void>((resolve) => (wake = resolve)));
      else if (message.kind === 'failure') throw message.error;
      else if (message.kind === 'change' && isCaughtUp) {
        if (!isNew(message.change)) continue;
        position = message.change.cursor;
        yield message.change;
      } else if (message.kind === 'state') {
        if (message.state.state !== 'live') {
          onState(message.state);
          continue;
        }
        let changes: Change[];
        do {
          ({ changes, next: position } = await page(position, 1000));
          yield* changes.filter(isNew);
        } while (changes.length > 0);
        isCaughtUp = true;
        onState(message.state);
      }
    }
  } finally {
    limit.end();
    leave();
  }
}

// The number of changes to remember. When another tab takes over the stream, fewer changes than this are repeated.
const rememberedMax = 10_000;

/** Returns a function that returns true for a change that it has not seen. */
function createMemory(): (change: Change) => boolean {
  const ids = new Set<string>();
  return ({ id }) => {
    if (ids.has(id)) return false;
    if (ids.size === rememberedMax) ids.clear();
    ids.add(id);
    return true;
  };
}
