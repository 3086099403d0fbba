import { WorktableError } from './errors.ts';

/** The path of a request, with its parameters. */
export function pathText(template: string, parameters: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeText(name, validId(name, parameters[name])),
  );
}

function validId(name: string, id: unknown): string {
  // These texts would address a different resource as a path segment.
  if (typeof id === 'string' && !['', '.', '..'].includes(id)) return id;
  throw new WorktableError(`The ${name} must be a resource id, but it is ${shown(id)}.`);
}

/** The query of a URL. A value that would be dropped is an error, because a list without its filter has every item. */
export function queryText(query: object = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : textsOf(name, value).map((text) => `${name}=${encodeText(name, text)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function textsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.map((each) => textOf(name, each));
  return [textOf(name, value)];
}

function textOf(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  const { [Symbol.toStringTag]: tag } = Object(value) as { [Symbol.toStringTag]?: unknown };
  // `Temporal` puts time zone and calendar into brackets, which are not part of ISO 8601.
  if (String(tag).startsWith('Temporal.')) return String(value).replace(/\[.*/, '');
  throw new WorktableError(`${name} must be a value to send, but it is ${shown(value)}. Omit it instead.`);
}

function encodeText(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch (cause) {
    throw new WorktableError(`${name} has a lone surrogate, which no URL can contain.`, { cause });
  }
}

function shown(value: unknown): string {
  // `JSON.stringify(undefined)` returns undefined, which the message shows.
  return value instanceof Date ? 'an invalid Date' : JSON.stringify(value);
}

/**
 * Serializes a body immediately, so that later changes to the object do not affect any attempt. The returned function
 * throws the error of a body that cannot be serialized, so that the call rejects.
 */
export function textOfJson(body: unknown): () => string {
  try {
    const text = JSON.stringify(body);
    return () => text;
  } catch (cause) {
    const error = new WorktableError('The body cannot be serialized as JSON.', { cause });
    return () => {
      throw error;
    };
  }
}
