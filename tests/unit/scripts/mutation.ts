/** Where in a document (names with `/` in them write it as `~`), and the value to set; without one, it is taken away. */
export type Mutation = readonly [path: string, value?: unknown];

/** A copy of the document with one change. An index beyond the end of a list appends. */
export function set(document: object, [path, ...value]: Mutation): object {
  const copy = structuredClone(document);
  const keys = path.split('/').map((key) => key.replaceAll('~', '/'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((place, key) => (place as Record<string, unknown>)[key], copy);
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...value);
  else if (value.length > 0) Object.assign(parent as object, { [last]: value[0] });
  else Reflect.deleteProperty(parent as object, last);
  return copy;
}
