import { ConnectionError } from './errors.ts';
import { openEventStream, type EventNames } from './event-stream.ts';
import { listChanges } from './generated/operations.ts';
import type { RequestOptions, StreamState } from './options.ts';
import { reopenStream } from './reopened-stream.ts';
import type { ChangeEvent, ChangeQuery } from './resources.ts';
import type { Transport } from './transport.ts';

/** Options of `tasks.changes`. `onState` throws no error. */
export interface FollowOptions extends RequestOptions {
  readonly onState: (state: StreamState) => void;
}

const changeEvents: EventNames<ChangeEvent> = { ready: true, change: true };

/** The events of a stream of changes. A stream of a single page may be closed while the page is hidden. */
export function followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  {
    deadlineMs = Infinity,
    isOfOnePage,
    onState,
    ...options
  }: FollowOptions & { readonly isOfOnePage: boolean },
): AsyncGenerator<ChangeEvent, void, undefined> {
  const query = (): ChangeQuery & { limit: number } => ({ ...filters, after, limit: 1 });
  return reopenStream<ChangeEvent>(
    transport,
    {
      operation: 'listChanges',
      open: (limited) =>
        openEventStream(transport, listChanges, { query: query(), options: limited }, changeEvents),
      async receive(event, limited) {
        const isWhole = event.event !== 'change' || event.data.truncated !== true;
        const [change] = isWhole
          ? []
          : (await transport.send(listChanges, { query: query(), options: limited })).changes;
        // The server may have deleted the entry. The stream that is opened next then begins after it.
        if (!isWhole && change?.id !== event.data.id)
          throw new ConnectionError('A change that no event can hold cannot be read.');
        after = event.data.cursor;
        if (event.event === 'ready') onState({ state: 'live' });
        return change === undefined || event.event === 'ready' ? event : { ...event, data: change };
      },
      // "now" becomes a position only when the stream is open, so such a stream is not paused before.
      mayPause: () => isOfOnePage && after !== 'now',
    },
    { ...options, onState, deadlineAtMs: Date.now() + deadlineMs, hasBegun: true },
  );
}
