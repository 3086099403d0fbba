/** A JSON object whose members are not known. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns true for an object or a list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** The value if it is a JSON object. */
export function asObject(value: unknown): Json | undefined {
  return isObject(value) && !Array.isArray(value) ? value : undefined;
}

/** The first objects of a list; other entries become empty objects. */
export function objectsIn(value: unknown, lengthMax = Infinity): Json[] {
  return Array.isArray(value) ? value.slice(0, lengthMax).map((each) => asObject(each) ?? {}) : [];
}

/** A replacer for `JSON.stringify` that sorts the keys of objects, because their order means nothing. */
export function sortKeys(_name: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Returns true if a JSON value is nested more than `levels` deep. `JSON.stringify` overflows the stack on a very deep
 * value.
 */
export function depthExceeds(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((child) => depthExceeds(child, levels - 1));
  // `Object.values` would allocate, and double the time for a chart of 1,000 points.
  for (const name in value) if (depthExceeds(value[name], levels - 1)) return true;
  return false;
}

/** Counts a JSON value and all values inside it. */
export function countValues(value: unknown): number {
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((count, child) => count + countValues(child), 1);
}
