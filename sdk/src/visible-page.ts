import { followChanges, type FollowOptions } from './follow-changes.ts';
import type { ChangeEvent, ChangeQuery } from './resources.ts';
import { remainingMs, startTimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';

/** The document of a page, whose type is not that of Node. */
interface Page {
  readonly visibilityState: 'visible' | 'hidden';
  addEventListener(name: 'visibilitychange', listener: () => void): void;
  removeEventListener(name: 'visibilitychange', listener: () => void): void;
}

/**
 * The events of a stream that a page holds for itself. It is closed while the page is hidden, because all pages of a browser
 * together have six connections to a server over HTTP/1.1, and opened again where it ended.
 */
export async function* followWhileVisible(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  { deadlineMs = Infinity, signal, ...options }: FollowOptions,
): AsyncGenerator<ChangeEvent, void, undefined> {
  const { document: page } = globalThis as unknown as { readonly document?: Page };
  const deadlineAtMs = Date.now() + deadlineMs;
  const limit = startTimeLimit({ timeoutMs: Infinity, deadlineAtMs, signal });
  // "now" is a position only when the stream is open.
  const isPaused = (): boolean => page?.visibilityState === 'hidden' && after !== 'now';
  let stop = new AbortController();
  let resume: () => void = () => undefined;
  const check = (): void => {
    if (isPaused()) stop.abort();
    else resume();
  };
  const abort = (): void => {
    stop.abort(signal?.reason);
  };
  page?.addEventListener('visibilitychange', check);
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      if (isPaused()) options.onState({ state: 'paused' });
      while (isPaused()) await limit.race(() => new Promise<void>((resolve) => (resume = resolve)));
      stop = new AbortController();
      if (signal?.aborted === true) abort();
      const limits = { deadlineMs: remainingMs(deadlineAtMs), signal: stop.signal };
      try {
        for await (const event of followChanges(
          transport,
          { ...filters, after },
          { ...options, ...limits },
        )) {
          after = event.data.cursor;
          yield event;
          if (isPaused()) break;
        }
      } catch (error) {
        if (!stop.signal.aborted || signal?.aborted === true) throw error;
      }
    }
  } finally {
    limit.end();
    page?.removeEventListener('visibilitychange', check);
    signal?.removeEventListener('abort', abort);
  }
}
