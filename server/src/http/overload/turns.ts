/**
 * Returns a function whose callers continue one after another, one in each turn of the event loop: between two of them,
 * the server answers the other requests that have arrived.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const callNext = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(callNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(callNext);
    });
}
