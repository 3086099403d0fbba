/** Loads each value on its first use and keeps it. A failure is not kept, so the next use tries again. */
export function memoizeAsync<Key, Value>(load: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const cache = new Map<Key, Promise<Value>>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const loading = load(key).catch((error: unknown) => {
      cache.delete(key);
      throw error;
    });
    cache.set(key, loading);
    return loading;
  };
}
