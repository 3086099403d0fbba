import { Readable } from 'node:stream';
import type { EventStream } from '../../contract/operation.ts';

/**
 * Server-sent events as bytes. Comments between events keep proxies from closing an idle connection. `hold` gets the
 * size of each event before it is sent, and 0 when the connection has accepted it. The stream ends when `hold` returns
 * false.
 */
export function eventStream(
  events: EventStream,
  hold: (bytes: number) => boolean,
  heartbeatMs = 15_000,
): Readable {
  // The next event is read only when the connection has taken the previous one.
  const options = { objectMode: false, highWaterMark: 1 };
  return Readable.from(withHeartbeats(events, hold, heartbeatMs), options);
}

async function* withHeartbeats(
  events: EventStream,
  hold: (bytes: number) => boolean,
  heartbeatMs: number,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const result = await orTimeout(next, heartbeatMs);
      if (result === 'timeout') {
        yield ': still here\n\n';
        continue;
      }
      if (result.done === true) return;
      const text = textOf(result.value);
      if (!hold(Buffer.byteLength(text))) return;
      yield text;
      hold(0);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

async function orTimeout<Result>(next: Promise<Result>, afterMs: number): Promise<Result | 'timeout'> {
  const { promise: timeout, resolve } = Promise.withResolvers<'timeout'>();
  using _timer = setTimeout(resolve, afterMs, 'timeout' as const).unref();
  return await Promise.race([next, timeout]);
}

function textOf(event: { event: string; data: unknown; id?: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `event: ${event.event}\n${id}data: ${JSON.stringify(event.data)}\n\n`;
}
