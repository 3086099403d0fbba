/** Loads each value on its first use and keeps it. A failure is not kept, so the next use tries again. */
export function memoizeAsync<Thing, Loaded>(
  load: (thing: Thing) => Promise<Loaded>,
): (thing: Thing) => Promise<Loaded> {
  const kept = new Map<Thing, Promise<Loaded>>();
  return (thing) => {
    const known = kept.get(thing);
    if (known !== undefined) return known;
    const loading = load(thing).catch((error: unknown) => {
      kept.delete(thing);
      throw error;
    });
    kept.set(thing, loading);
    return loading;
  };
}
