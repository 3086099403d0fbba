import { childPointer } from './json-pointer.ts';

/** Whether Postgres can store a text: it has neither NUL characters nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON pointers (RFC 6901) to the first `max` strings of a JSON value that Postgres cannot store, keys included. */
export function unstorableTexts(value: unknown, max: number): string[] {
  const pointers: string[] = [];
  const visit = (each: unknown, pointer: string): void => {
    if (typeof each === 'string') {
      if (!isStorable(each)) pointers.push(pointer);
    } else if (typeof each === 'object' && each !== null) {
      for (const [key, child] of Object.entries(each)) {
        if (pointers.length >= max) return;
        const place = childPointer(pointer, toStorable(key));
        if (isStorable(key)) visit(child, place);
        else pointers.push(place);
      }
    }
  };
  visit(value, '');
  return pointers;
}

/** Removes NUL characters and replaces lone surrogates by U+FFFD. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Applies `toStorable` to all keys and strings of a JSON value. */
export function toStorableJson<Value extends object>(value: Value): Value {
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'string') return toStorable(each);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, field]) => [toStorable(key), field as unknown]),
    );
  });
  // Only texts have changed, so the type is the same.
  return JSON.parse(text) as Value;
}
