import { sql } from 'kysely';
import { decodeCursor, encodeCursor, type CursorScope, type Position } from '../../lib/cursor.ts';
import { listByKeys, readPage } from '../../db/list.ts';
import type { Db } from '../../db/tables.ts';
import { validationError } from '../../contract/problem.ts';
import type { Request, Handler, Schemas } from '../../contract/operation.ts';
import { schemaFields } from '../../contract/schema.ts';
import { endOfStream } from '../../lib/event-bus.ts';
import { limitChange } from '../../lib/event-size.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import { longColumns, taskColumns, type Task } from '../task.ts';
import type { ChangeFeed } from './change-feed.ts';

export interface ChangeServices {
  readonly db: Db;
  readonly changeFeed: ChangeFeed;
  /** Gives each read of a page its turn, so that one user's streams do not occupy the database. */
  readonly requestQueue: FairQueue;
}

const pageSizeMax = 1000;

/** Responds with a page, or with a stream that begins at the same position. */
export const listChanges: Handler<'listChanges', ChangeServices> = async (request, services, context) => {
  const { caller, query } = request;
  const { db, changeFeed } = services;
  const includesTask = query.include === 'task';
  const filter = { userId: caller.id, workspaceId: query.workspace_id ?? '', includesTask };
  const watermark = await changeFeed.watermark();
  const after = startOf(request, filter, watermark);
  if (context.acceptsEventStream) {
    const signal = endOfStream(caller, context.disconnected, changeFeed.closing);
    const stream = streamChanges(services, filter, after, signal);
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: stream };
  }
  const limit = Math.min(query.limit, pageSizeMax);
  const { changes, next } = await findChanges(db, filter, { after, watermark, limit });
  return { status: 200, body: { changes, next: cursorAt(filter, next) } };
};

/** The position after which the requested changes begin. Throws for a cursor of another list. */
function startOf(
  { query, headers }: Request<'listChanges'>,
  filter: ChangeFilter,
  watermark: string,
): Position {
  const { 'last-event-id': lastEventId = '' } = headers;
  const after = lastEventId === '' ? query.after : lastEventId;
  if (after === '0') return positionAt('0');
  if (after === 'now') return positionAt(watermark);
  const position = decodeCursor(after, scopeOf(filter), Object.values(keys));
  if (position !== undefined) return position;
  const pointer = lastEventId === '' ? '/query/after' : '/header/last-event-id';
  throw validationError([{ pointer, code: 'malformed', detail: invalidPosition }]);
}

const invalidPosition =
  'must be "0", "now", or a position of this list with the same workspace_id: "next", the "cursor" of a change or the id of an event';

// Small pages, because a stream keeps its page in memory until the client has read it.
const streamedPage = { limit: 100, bytesMax: 2 ** 16 };

/**
 * Streams the changes after a position until the signal aborts. A page is read when the previous page has been sent.
 */
function streamChanges(
  { db, changeFeed, requestQueue }: ChangeServices,
  filter: ChangeFilter,
  start: Position,
  signal: AbortSignal,
): AsyncGenerator<Schemas['ChangeEvent'], void> {
  // Subscribe before the first event is read, so that no change is missed.
  const next = changeFeed.subscribe(filter.userId, signal);
  return (async function* () {
    const cursor = cursorAt(filter, start);
    yield { event: 'ready', id: cursor, data: { cursor } };
    let after = start;
    let watermark: string | undefined = await changeFeed.watermark();
    while (watermark !== undefined) {
      const request = { after, watermark, ...streamedPage };
      const read = async () => {
        const { changes, ...position } = await findChanges(db, filter, request);
        return { changes: changes.map(limitChange), ...position };
      };
      const page = await requestQueue.run(filter.userId, read, { waitMs: Infinity });
      for (const change of page.changes) {
        if (signal.aborted) return;
        yield { event: 'change', id: change.cursor, data: change };
      }
      after = page.next;
      if (!page.isFull) watermark = await next();
    }
  })();
}

type Change = Schemas['Change'];

/** The changes of a user, or of one of the user's workspaces if `workspaceId` is not empty. */
interface ChangeFilter {
  readonly userId: string;
  readonly workspaceId: string;
  /** True if each change includes its task. */
  readonly includesTask: boolean;
}

// The order needs the task's id, because entries of different tasks may have the same time and `seq`.
const keys = { recorded_us: 'bigint', seq: 'bigint', id: 'uuid' } as const;

/** The position before all changes that were recorded at or after a moment, in microseconds since 1970. */
function positionAt(recordedUs: string): Position {
  return [recordedUs, '0', '00000000-0000-0000-0000-000000000000'];
}

/** The cursor of a position in the changes that match a filter. */
function cursorAt(filter: ChangeFilter, position: Position): string {
  return encodeCursor(position, scopeOf(filter));
}

function scopeOf({ userId, workspaceId }: ChangeFilter): CursorScope {
  return { path: '/api/changes', userId, filters: { workspace_id: workspaceId } };
}

/**
 * The changes from a position up to a result of `findWatermark`, oldest first. The page ends with the change that reaches
 * `bytesMax`.
 */
async function findChanges(
  db: Db,
  filter: ChangeFilter,
  page: { after: Position; watermark: string; limit: number; bytesMax?: number },
) {
  const { userId, workspaceId, includesTask } = filter;
  const { after, watermark, limit, ...size } = page;
  const inWorkspace =
    workspaceId === ''
      ? sql``
      : sql`and (entry.workspace_id = ${workspaceId} or left_workspace_id = ${workspaceId})`;
  const list = listByKeys<ChangeRow>({
    // Postgres leaves the join out if the query has no column of the task.
    entries: sql`
      select entry.*${sql.raw(includesTask ? currentTask : '')}
      from audit_logs entry left join tasks task on task.user_id = ${userId} and task.id = entry.task_id
      where entry.user_id = ${userId} and recorded_us < ${watermark}::bigint ${inWorkspace}`,
    columns: [...entryColumns, 'recorded_us', 'seq', ...(includesTask ? taskColumns.map(currentName) : [])],
    texts: ['payload', ...(includesTask ? longColumns.map(currentName) : [])],
    keys,
    ...size,
  });
  const { entries, next } = await readPage(db, list, { limit, offset: 0, after });
  const changes = entries.map((row) => ({
    // The cast is safe, because `entryColumns` has all keys of `Entry`.
    ...(Object.fromEntries(entryColumns.map((name) => [name, row[name]])) as Entry),
    cursor: cursorAt(filter, list.positionOf(row)),
    ...(includesTask && { task: taskOf(row) }),
  }));
  // `after` may be later than `watermark`, because another call of `findWatermark` may have returned a later moment.
  const end = Number(after[0]) > Number(watermark) ? after : positionAt(watermark);
  return { changes, next: next ?? end, isFull: next !== undefined };
}

const entryColumns = schemaFields('Change', 'cursor', 'task', 'truncated');

type Entry = Pick<Change, (typeof entryColumns)[number]>;

// Rows have this type, because only this server inserts them. A bigint is text in one engine and a number in the other.
type ChangeRow = Entry & {
  readonly recorded_us: string | number;
  readonly seq: string | number;
} & { readonly [Name in keyof Task as `current_${Name}`]?: Task[Name] | null };

/** The name of a task's column in a row that also has an entry. Tasks and entries share column names. */
const currentName = <Name extends keyof Task>(name: Name) => `current_${name}` as const;

const currentTask = taskColumns.map((name) => `, task.${name} as ${currentName(name)}`).join('');

/** The task of a change; null if it has been deleted. */
function taskOf(row: ChangeRow): Task | null {
  if (row.current_id == null) return null;
  // The cast is safe, because `taskColumns` has all keys of `Task`.
  return Object.fromEntries(taskColumns.map((name) => [name, row[currentName(name)]])) as Task;
}
