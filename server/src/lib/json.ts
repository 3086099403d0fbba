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

/** The objects of a list; other entries become empty objects. */
export function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((each) => asObject(each) ?? {}) : [];
}

/** A replacer for `JSON.stringify` that sorts the keys of objects, because their order means nothing. */
export function sortKeys(_name: string, value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Returns true if a JSON value is nested more than `levels` deep. Check a value before `JSON.stringify`, which overflows
 * the stack on a very deep one.
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

const pointerLengthMax = 200;

/** The pointer to a member or element of the value at `pointer` (RFC 6901, section 3), shortened if it is long. */
export function childPointer(pointer: string, name: string): string {
  const escaped = name.slice(0, pointerLengthMax).replaceAll('~', '~0').replaceAll('/', '~1');
  return shortenPointer(`${pointer}/${escaped}`);
}

/**
 * Limits a pointer to 200 characters, the last of which is then `…`. Otherwise each error could have a pointer as long
 * as the body.
 */
export function shortenPointer(pointer: string): string {
  return pointer.length <= pointerLengthMax
    ? pointer
    : `${pointer.slice(0, pointerLengthMax - 1).toWellFormed()}…`;
}

/** The target of a reference by a JSON pointer in a fragment (RFC 6901, section 6); undefined if there is none. */
export function targetOf(reference: string, root: unknown): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  return namesOf(reference).reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    root,
  );
}

/** The names in a pointer, outermost first. */
export function namesOf(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
