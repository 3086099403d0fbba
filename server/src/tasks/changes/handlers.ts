import { decodeCursor, type Position } from '../../lib/cursor.ts';
import type { Db } from '../../db/tables.ts';
import { validationError } from '../../contract/problem.ts';
import type { Call, Handler } from '../../contract/operation.ts';
import { endOfStream } from '../../lib/stream-lifetime.ts';
import type { ChangeFeed } from './change-feed.ts';
import { createChangeStream } from './change-stream.ts';
import {
  changePosition,
  cursorAt,
  findChanges,
  oldest,
  positionAt,
  scopeOf,
  type ChangeFilter,
} from './find-changes.ts';

export interface ChangeServices {
  readonly db: Db;
  readonly changeFeed: ChangeFeed;
}

const pageSizeMax = 1000;

/** Responds with a page, or with a stream that begins at the same position. */
export const listChanges: Handler<'listChanges', ChangeServices> = async (call, services, response) => {
  const { db, changeFeed } = services;
  const filter = filterOf(call);
  const watermark = await changeFeed.watermark();
  const after = startOf(call, filter, watermark);
  const includesTask = call.query.include === 'task';
  if (response.acceptsEventStream) {
    const signal = endOfStream(call.caller, response.disconnected, changeFeed.closing);
    const stream = createChangeStream(services, { filter, includesTask, after, signal });
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: stream };
  }
  const limit = Math.min(call.query.limit, pageSizeMax);
  const { changes, next } = await findChanges(db, filter, { after, watermark, includesTask, limit });
  return { status: 200, body: { changes, next: cursorAt(filter, next) } };
};

function filterOf({ caller, query }: Call<'listChanges'>): ChangeFilter {
  return { userId: caller.id, workspaceId: query.workspace_id };
}

/** The position after which the request begins. Throws for a cursor of another list. */
function startOf({ query, headers }: Call<'listChanges'>, filter: ChangeFilter, watermark: string): Position {
  const { 'last-event-id': lastEventId = '' } = headers;
  const after = lastEventId === '' ? query.after : lastEventId;
  if (after === '0') return oldest;
  if (after === 'now') return positionAt(watermark);
  const position = decodeCursor(after, scopeOf(filter), changePosition);
  if (position !== undefined) return position;
  const pointer = lastEventId === '' ? '/query/after' : '/header/last-event-id';
  throw validationError([{ pointer, code: 'malformed', detail: invalidPosition }]);
}

const invalidPosition =
  'must be "0", "now", or a position of this list with the same workspace_id: "next", the "cursor" of a change or the id of an event';
