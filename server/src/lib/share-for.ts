/**
 * Returns a function that calls `read` and shares the promise of its result among all callers: for `ms` milliseconds,
 * or for ever. A failure is forgotten at once, so that the next call tries again.
 */
export function shareFor<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  const forget = (): void => {
    latest = undefined;
  };
  return () => {
    if (latest === undefined) {
      latest = read();
      latest.catch(forget);
      if (ms !== Infinity) setTimeout(forget, ms).unref();
    }
    return latest;
  };
}
