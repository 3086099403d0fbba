import { WorktableError } from './errors.ts';

interface PathParameters {
  readonly path: { readonly id: string };
}

/** Parameters of an operation on one resource. */
export function pathParams(id: string): { params: PathParameters } {
  return { params: { path: { id: validId('id', id) } } };
}

function validId(name: string, id: unknown): string {
  // As a path segment, these texts would address another resource.
  if (typeof id === 'string' && !['', '.', '..'].includes(id)) return id;
  throw new WorktableError(`The ${name} must be a resource id, but it is ${shown(id)}.`);
}

/** The query of a URL. Throws for a value that would be lost: without its filter, a list would have every item. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : textsOf(name, value).map((text) => `${name}=${encodeText(name, text)}`),
  );
  return pairs.join('&');
}

function textsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) return value.map((each) => textOf(name, each));
  return [textOf(name, value)];
}

function textOf(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  const { [Symbol.toStringTag]: tag } = Object(value) as { [Symbol.toStringTag]?: unknown };
  // `Temporal` adds time zone and calendar in brackets, which are not part of ISO 8601.
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
  // `JSON.stringify(undefined)` returns undefined, which the message then shows.
  return value instanceof Date ? 'an invalid Date' : JSON.stringify(value);
}

/** Parameters of an operation on one comment. */
export function commentParams(
  id: string,
  commentId: string,
): { params: { path: { id: string; comment_id: string } } } {
  return { params: { path: { id: validId('id', id), comment_id: validId('commentId', commentId) } } };
}

/** Parameters of a list that belongs to a resource. */
export function listParams<Query>(id: string, query: Query): { params: PathParameters & { query: Query } } {
  return { params: { ...pathParams(id).params, query } };
}
