import type { Readable } from 'node:stream';

const readingMs = 2000;

/** Destroys a connection or request after a delay, so that the client can still read the response. */
export function destroySoon(stream: Readable): void {
  const timeout = setTimeout(() => stream.destroy(), readingMs);
  stream.once('close', () => {
    clearTimeout(timeout);
  });
}
