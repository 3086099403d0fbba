/** Text without what no database column holds: NUL is dropped, lone surrogates become U+FFFD. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same for all text in a JSON value. */
export function storableValue<Value>(value: Value): Value {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? storable(each) : each,
  );
  // Names of fields are escaped by JSON itself; what comes back has the shape that went in.
  return JSON.parse(text.replaceAll(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f]..)/gi, '$1')) as Value;
}
