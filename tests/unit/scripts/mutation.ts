/** A path in a document, with `~` for `/` inside a name, and the value to set; without a value the entry is deleted. */
export type Mutation = readonly [path: string, value?: unknown];

/** Returns a copy of the document with one change. An index past the end of an array appends. */
export function set(document: object, [path, ...value]: Mutation): object {
  const copy = structuredClone(document);
  const keys = path.split('/').map((key) => key.replaceAll('~', '/'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], copy);
  if (Array.isArray(parent)) parent.splice(Number(last), 1, ...value);
  else if (value.length > 0) Object.assign(parent as object, { [last]: value[0] });
  else Reflect.deleteProperty(parent as object, last);
  return copy;
}
