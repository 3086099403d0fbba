/** Whether Postgres can store a text: it has neither NUL characters nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** JSON pointers (RFC 6901) to the strings of a JSON value that Postgres cannot store, keys included. */
export function unstorableTexts(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    const place = `${pointer}/${toStorable(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return isStorable(key) ? unstorableTexts(each, place) : [place];
  });
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
