const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, lineFeed, carriageReturn] = [code('"'), code('\\'), code('\n'), code('\r')];
const [comma, bracket, brace] = [code(','), code('['), code('{')];

/**
 * Counts the values in the chunks of one body, JSON or events with JSON, before anything parses them. Each call returns the
 * values of its chunk: one for each comma, `[` and `{` outside a string, so an empty array or object counts twice.
 */
export function jsonValueCounter(): (chunk: Uint8Array) => number {
  let [isInString, isEscaped] = [false, false];
  return (chunk) => {
    let values = 0;
    for (const byte of chunk) {
      // No string of JSON contains a line break, and a line of an event stream may be a comment with a quote.
      if (byte === lineFeed || byte === carriageReturn) [isInString, isEscaped] = [false, false];
      else if (isEscaped) isEscaped = false;
      else if (byte === quote) isInString = !isInString;
      else if (isInString) isEscaped = byte === backslash;
      else if (byte === comma || byte === bracket || byte === brace) values += 1;
    }
    return values;
  };
}
