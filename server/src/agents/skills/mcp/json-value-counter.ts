const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, lineFeed, carriageReturn] = [code('"'), code('\\'), code('\n'), code('\r')];
const [comma, bracket, brace] = [code(','), code('['), code('{')];

/**
 * Counts the values in the chunks of one body, JSON or events with JSON, before anything parses them. Each call returns
 * the values of its chunk: one for each comma, `[` and `{` outside a string. So an empty array or object counts as one
 * value too many.
 */
export function jsonValueCounter(): (chunk: Uint8Array) => number {
  let [isInString, isEscaped] = [false, false];
  return (chunk) => {
    let values = 0;
    for (const byte of chunk) {
      // Each line starts outside a string, because JSON strings contain no line break. This matters after a comment of
      // an event stream, which may have an unpaired quote.
      if (byte === lineFeed || byte === carriageReturn) [isInString, isEscaped] = [false, false];
      else if (isEscaped) isEscaped = false;
      else if (byte === quote) isInString = !isInString;
      else if (isInString) isEscaped = byte === backslash;
      else if (byte === comma || byte === bracket || byte === brace) values += 1;
    }
    return values;
  };
}
