import type { Readable } from 'node:stream';

const readingMs = 2000;

/** Destroys a connection or a request after the time that its client has to read the response, unless it closes before. */
export function destroySoon(stream: Readable): void {
  const timeout = setTimeout(() => stream.destroy(), readingMs);
  stream.once('close', () => {
    clearTimeout(timeout);
  });
}
