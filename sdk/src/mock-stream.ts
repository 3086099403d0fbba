/** The part of a stream that a request asks for. */
export interface StreamPosition {
  /** The path of the operation, as in the contract. */
  readonly path: string;
  readonly lastEventId: string | null;
  readonly until: unknown;
}

// The server's interval, so that a client does not consider the stream lost.
const heartbeatMs = 15_000;

/**
 * The events of an example; with `lastEventId`, only its first event and the events after that id. After them, three
 * streams stay open: changes, a session, and a run that requires action if `until` is `finished`.
 */
export function streamOf(
  text: string,
  { path, lastEventId, until }: StreamPosition,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const all = text.split('\n\n').filter((event) => event !== '');
  const last = all.findIndex((event) => event.split('\n').includes(`id: ${lastEventId}`));
  const events = all.filter((_event, i) => i === 0 || i > last);
  const waits = until === 'finished' && events.at(-1)?.startsWith('event: run.requires_action') === true;
  const staysOpen = waits || ['/api/changes', '/v1/sessions/{id}/messages'].includes(path);
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      const send = (event: string): void => {
        controller.enqueue(encoder.encode(`${event}\n\n`));
      };
      for (const event of events) send(event);
      if (staysOpen) heartbeat = setInterval(send, heartbeatMs, ':');
      else controller.close();
    },
    cancel: () => {
      clearInterval(heartbeat);
    },
  });
}
