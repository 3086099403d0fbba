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
