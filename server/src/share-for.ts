/** Returns a function that calls `read` at most once in `ms` milliseconds. Calls within this time share the result. */
export function shareFor<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  return () => {
    if (latest === undefined) {
      latest = read();
      setTimeout(() => (latest = undefined), ms).unref();
    }
    return latest;
  };
}
