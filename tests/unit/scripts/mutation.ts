/**
 * A path in a document, in which `~` stands for `/` in a name, and its new value. Without a value, the entry is
 * deleted.
 */
export type Mutation = readonly [path: string, value?: unknown];

/**
 * Returns a copy of the document with one change. In an array, an entry is addressed by its name, its value, the schema
 * that it refers to, its type, or the event that it describes. `-` appends an entry.
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
  const index = entries.findIndex((entry) => namesOf(entry).includes(key));
  if (index === -1) throw new Error(`The array has no entry "${key}".`);
  return index;
}

interface Entry {
  readonly name?: string;
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: { readonly event?: { readonly enum?: readonly string[] } };
}

function namesOf(entry: unknown): unknown[] {
  if (typeof entry !== 'object' || entry === null) return [entry];
  const { name, $ref, type, properties } = entry as Entry;
  return [name, $ref?.split('/').at(-1), type, ...(properties?.event?.enum ?? [])];
}
