/** A path in a document, with `~` for `/` inside a name, and the value to set; without a value the entry is deleted. */
export type Mutation = readonly [path: string, value?: unknown];

/**
 * Returns a copy of the document with one change. An entry of an array is addressed by its `name`, its value or its index, and
 * `-` appends one.
 */
export function set(document: object, [path, ...value]: Mutation): object {
  const copy = structuredClone(document);
  const keys = path.split('/').map((key) => key.replaceAll('~', '/'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>(
    (node, key) => (node as Record<string, unknown>)[Array.isArray(node) ? indexOf(node, key) : key],
    copy,
  );
  if (Array.isArray(parent)) parent.splice(indexOf(parent, last), 1, ...value);
  else if (value.length > 0) Object.assign(parent as object, { [last]: value[0] });
  else Reflect.deleteProperty(parent as object, last);
  return copy;
}

function indexOf(entries: readonly unknown[], key: string): number {
  if (key === '-') return entries.length;
  const index = entries.findIndex((entry) => entry === key || (entry as { name?: unknown }).name === key);
  if (index === -1 && !(Number(key) < entries.length)) throw new Error(`The array has no entry "${key}".`);
  return index === -1 ? Number(key) : index;
}
