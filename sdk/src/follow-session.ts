import { openEventStream, type EventNames } from './event-stream.ts';
import { readWholeMessage } from './follow-run.ts';
import { listMessages } from './generated/operations.ts';
import type { SessionStreamOptions } from './options.ts';
import { reopenStream } from './reopened-stream.ts';
import type { SessionEvent } from './resources.ts';
import type { Transport } from './transport.ts';

const sessionEvents: EventNames<SessionEvent> = { message: true, run: true };

/** The events of the stream of a session. A stream that breaks is opened again at the same position. */
export function followSession(
  transport: Transport,
  id: string,
  { after, lastEventId, deadlineMs = Infinity, ...options }: SessionStreamOptions,
): AsyncGenerator<SessionEvent, void, undefined> {
  let position = lastEventId;
  return reopenStream<SessionEvent>(
    transport,
    {
      operation: 'listMessages',
      open: (limited) => {
        const headers = { 'Last-Event-ID': position };
        const parts = { path: { id }, query: { after }, headers, options: limited };
        return openEventStream(transport, listMessages, parts, sessionEvents);
      },
      async receive(event, limited) {
        if (event.event !== 'message') return event;
        position = event.id;
        return readWholeMessage(transport, event, limited);
      },
      isLast: () => false,
      mayPause: () => true,
      outageMaxMs: Infinity,
      errorOf: (failure) => failure,
    },
    { ...options, onState: () => undefined, deadlineAtMs: Date.now() + deadlineMs, hasBegun: true },
  );
}
