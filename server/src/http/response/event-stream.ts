import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventStream } from '../../operation.ts';

/** Server-sent events as bytes, with a comment now and then while there are none, so that nobody cuts the line. */
export function eventStream(events: EventStream, heartbeatMs = 15_000): Readable {
  return Readable.from(withHeartbeats(events, heartbeatMs), { objectMode: false });
}

async function* withHeartbeats(events: EventStream, heartbeatMs: number): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      const result = await orQuiet(coming, heartbeatMs);
      if (result === 'quiet') {
        yield ': still here\n\n';
        continue;
      }
      if (result.done === true) return;
      yield textOf(result.value);
      coming = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

async function orQuiet<Result>(coming: Promise<Result>, afterMs: number): Promise<Result | 'quiet'> {
  const timer = new AbortController();
  const quiet = pause(afterMs, 'quiet' as const, { ref: false, signal: timer.signal });
  // The timer is given up as soon as something comes.
  quiet.catch(() => undefined);
  try {
    return await Promise.race([coming, quiet]);
  } finally {
    timer.abort();
  }
}

function textOf(event: { event: string; data: unknown; id?: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  return `event: ${event.event}\n${id}data: ${JSON.stringify(event.data)}\n\n`;
}
