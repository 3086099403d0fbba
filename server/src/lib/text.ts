import { isObject } from './json.ts';

/** Returns true if Postgres can store a text, which must not have NUL characters or lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The names and indexes that lead to the first string or key that Postgres cannot store; undefined without one. */
export function unstorablePath(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (!isObject(value)) return undefined;
  for (const name in value) {
    const path = isStorable(name) ? unstorablePath(value[name]) : [];
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Removes NUL characters and replaces lone surrogates by U+FFFD. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Applies `toStorable` to all keys and strings in a JSON value. */
export function toStorableJson<Value extends object>(value: Value): Value {
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'string') return toStorable(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, field]) => [toStorable(key), field as unknown]),
    );
  });
  // The cast is safe, because only texts change.
  return JSON.parse(text) as Value;
}

const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true if a text has a visible character: not white space, and not a control, joiner or blank sign. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/**
 * The keyword `x-visible` of the contract, for Ajv. An empty text passes here: it means null, or `minLength` refuses
 * it.
 */
export const visibleKeyword = {
  keyword: 'x-visible',
  type: 'string' as const,
  validate: (_: unknown, text: string): boolean => text === '' || isVisible(text),
};
