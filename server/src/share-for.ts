/** Returns a function whose calls share one result until `ms` milliseconds have passed since the first of them. */
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
