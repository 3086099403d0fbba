import { childPointer } from './json.ts';

/** Returns true if Postgres can store a text, which must not have NUL characters or lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON pointers (RFC 6901) to strings and keys that Postgres cannot store, at most `max`. */
export function unstorableTexts(value: unknown, max: number): string[] {
  const pointers: string[] = [];
  // The names and indexes that lead to a value. Making a pointer for each value would cost more than the check.
  const path: (string | number)[] = [];
  const add = (): void => {
    if (pointers.length < max) pointers.push(toStorable(path.map(String).reduce(childPointer, '')));
  };
  const visitAt = (name: string | number, child: unknown): void => {
    path.push(name);
    visit(child);
    path.pop();
  };
  const visit = (each: unknown): void => {
    if (typeof each === 'string') {
      if (!isStorable(each)) add();
    } else if (Array.isArray(each)) {
      each.forEach((child, i) => {
        visitAt(i, child);
      });
    } else if (typeof each === 'object' && each !== null) {
      // If a name cannot be stored, it is reported instead of its value.
      for (const [name, child] of Object.entries(each)) visitAt(name, isStorable(name) ? child : name);
    }
  };
  visit(value);
  return pointers;
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
