import type { TimeLimit } from './time-limit.ts';

/** The pieces of a body; the time limit counts only while one is waited for. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      limit.restart();
      const { value } = await limit.race(() => reader.read());
      limit.pause();
      if (value === undefined) return;
      yield value;
    }
  } catch (error) {
    // The platform ends the stream when the signal aborts; the reason is told by the limit.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    // A stream that is already broken cannot be cancelled, and need not be.
    reader.cancel().catch(() => undefined);
  }
}
