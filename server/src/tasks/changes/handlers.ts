import { decodeCursor, type Position } from '../../lib/cursor.ts';
import type { Db } from '../../db/tables.ts';
import { validationError } from '../../contract/problem.ts';
import type { Request, Handler, Schemas } from '../../contract/operation.ts';
import { streamOf, endOfStream } from '../../lib/event-bus.ts';
import { limitChange } from '../../lib/event-size.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import type { ChangeFeed } from './change-feed.ts';
import {
  changePosition,
  cursorAt,
  findChanges,
  positionAt,
  scopeOf,
  type ChangeFilter,
} from './find-changes.ts';

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
  const position = decodeCursor(after, scopeOf(filter), changePosition);
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
  return streamOf(changeFeed.subscribe(filter.userId), signal, async function* (next) {
    const cursor = cursorAt(filter, start);
    yield { event: 'ready', id: cursor, data: { cursor } };
    let after = start;
    let watermark: string | undefined = await changeFeed.watermark();
    while (watermark !== undefined) {
      const request = { after, watermark, ...streamedPage };
      const page = await requestQueue.runPiece(filter.userId, signal, async () => {
        const { changes, ...position } = await findChanges(db, filter, request);
        return { changes: changes.map(limitChange), ...position };
      });
      for (const change of page.changes) {
        if (signal.aborted) return;
        yield { event: 'change', id: change.cursor, data: change };
      }
      after = page.next;
      if (!page.isFull) watermark = await next();
    }
  });
}
