import type { Position } from '../../lib/cursor.ts';
import type { Db } from '../../db/tables.ts';
import { streamOf } from '../../lib/event-bus.ts';
import { limitChange } from '../../lib/event-size.ts';
import type { Schemas } from '../../contract/operation.ts';
import type { ChangeFeed } from './change-feed.ts';
import { cursorAt, findChanges, type ChangeFilter } from './find-changes.ts';

type ChangeEvent = Schemas['ChangeEvent'];

// Small pages, because a stream keeps its page in memory until the client has read it.
const pageSize = { limit: 100, bytesMax: 2 ** 16 };

interface StreamServices {
  readonly db: Db;
  readonly changeFeed: ChangeFeed;
}

interface StreamRequest {
  readonly filter: ChangeFilter;
  readonly includesTask: boolean;
  readonly after: Position;
  readonly signal: AbortSignal;
}

/**
 * Streams the changes after a position until the signal aborts. A page is read when the previous page has been sent.
 */
export function createChangeStream(
  { db, changeFeed }: StreamServices,
  { filter, includesTask, after, signal }: StreamRequest,
): AsyncGenerator<ChangeEvent, void> {
  return streamOf(changeFeed.subscribe(filter.userId), signal, async function* (next) {
    yield startAt(cursorAt(filter, after));
    let position = after;
    let watermark: string | undefined = await changeFeed.watermark();
    while (watermark !== undefined) {
      const request = { after: position, watermark, includesTask, ...pageSize };
      const page = await changeFeed.queue.runPiece(filter.userId, signal, async () => {
        const { changes, ...position } = await findChanges(db, filter, request);
        return { changes: changes.map(limitChange), ...position };
      });
      if (page === undefined) return;
      for (const change of page.changes) {
        if (signal.aborted) return;
        yield { event: 'change', id: change.cursor, data: change };
      }
      position = page.next;
      if (!page.isFull) [watermark] = await next();
    }
  });
}

function startAt(cursor: string): ChangeEvent {
  return { event: 'ready', id: cursor, data: { cursor } };
}
