import { listChanges } from './generated/operations.ts';
import type { FollowOptions } from './follow-changes.ts';
import type { Change, ChangeList, ChangeQuery } from './resources.ts';
import { join, type Message, type SharedStream } from './tab-stream.ts';
import { remainingMs, startTimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

/**
 * The changes after a position, from the stream that all tabs share. When the stream is opened, each tab first reads
 * the changes that it has missed, so any tab may hold the stream.
 */
export async function* sharedChanges(
  transport: Transport,
  shared: SharedStream,
  { after, ...filters }: ChangeQuery,
  { onState, deadlineMs = Infinity, ...options }: FollowOptions,
): AsyncGenerator<Change, void, undefined> {
  const deadlineAtMs = Date.now() + deadlineMs;
  const limit = startTimeLimit({ timeoutMs: Infinity, deadlineAtMs, signal: options.signal });
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
