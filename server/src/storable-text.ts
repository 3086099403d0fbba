/** Whether Postgres can store a text: it has neither NUL characters nor lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether Postgres can store all keys and strings of a JSON value. */
export function isStorableJson(value: object): boolean {
  let areStorable = true;
  JSON.stringify(value, (key, each: unknown) => {
    areStorable &&= isStorable(key) && (typeof each !== 'string' || isStorable(each));
    return each;
  });
  return areStorable;
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
