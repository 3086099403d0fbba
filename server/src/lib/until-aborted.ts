/** Waits until the signal aborts, or until the callback that `onStart` receives is called. */
export function untilAborted(signal: AbortSignal, onStart: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    onStart(end);
  });
}

/**
 * Calls `close` when the signal aborts. Calls it at once if the signal has already aborted, because the event does not
 * come again.
 */
export function onAbort(signal: AbortSignal, close: () => void): void {
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
}

/** Resolves or rejects like `work`, or rejects with the signal's reason as soon as the signal aborts. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const stopped = new AbortController();
  const aborted = untilAborted(AbortSignal.any([signal, stopped.signal]), () => undefined).then(() => {
    throw signal.reason;
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    aborted.catch(() => undefined);
    stopped.abort();
  }
}
