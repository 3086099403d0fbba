/**
 * Returns a function that calls `read` and shares the promise among all callers until `ms` milliseconds after it is
 * settled. If `ms` is infinite, a result is shared for ever, and a failure is forgotten at once.
 */
export function shareFor<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  const forget = (): void => {
    latest = undefined;
  };
  const forgetLater = (): void => {
    if (ms !== Infinity) setTimeout(forget, ms).unref();
  };
  return () => {
    if (latest === undefined) {
      latest = read();
      latest.then(forgetLater, ms === Infinity ? forget : forgetLater);
    }
    return latest;
  };
}
