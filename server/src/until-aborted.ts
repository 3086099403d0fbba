/** Waits until the function that `onStart` receives is called, or the signal aborts. */
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

/** Calls `close` when the signal aborts, or at once if it has aborted, because it will not emit the event again. */
export function onAbort(signal: AbortSignal, close: () => void): void {
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
}

/** Resolves as the work does, or rejects with the signal's reason as soon as it aborts. */
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
