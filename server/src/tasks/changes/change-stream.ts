import type { Position } from '../../cursor.ts';
import type { Db } from '../../db/tables.ts';
import type { Subscription } from '../../event-bus.ts';
import { limitChange } from '../../event-size.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
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
  services: StreamServices,
  request: StreamRequest,
): AsyncGenerator<ChangeEvent, void> {
  const { signal, filter } = request;
  // Subscribe now, so that the stream counts even before its first event is read.
  const subscription = services.changeFeed.subscribe(filter.userId);
  // The `finally` of a generator does not run if nobody has begun to read the generator.
  onAbort(signal, subscription.close);
  return streamChanges(services, request, subscription);
}

async function* streamChanges(
  { db, changeFeed }: StreamServices,
  { filter, includesTask, after, signal }: StreamRequest,
  subscription: Subscription<string>,
): AsyncGenerator<ChangeEvent, void> {
  try {
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
      if (!page.isFull) [watermark] = await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

function startAt(cursor: string): ChangeEvent {
  return { event: 'ready', id: cursor, data: { cursor } };
}
