import type { TimeLimit } from './time-limit.ts';

/** Yields the chunks of a body. The time limit runs only while a read is pending. */
export async function* readChunks(
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
    // An aborted fetch makes the stream fail with the platform's own error. Report the signal's reason instead.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    // The promise of `cancel` rejects if the stream has already failed.
    reader.cancel().catch(() => undefined);
  }
}
