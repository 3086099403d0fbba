/** The largest result of one tool call in a conversation. */
export const contentBytesMax = 64 * 1024;

// The lengths are tried in this order. Every single task and comment fits with the last length.
const textLengths = [16_384, 8_192, 4_096, 2_048];
const noteBytesMax = 512;

/** The longest sentence about a failed call. It may quote the arguments, which may be long. */
export const errorLengthMax = 8_192;

/** A result in which no text is truncated more than the size of the result requires. */
export function withShortTexts<Result extends object>(result: Result): Result {
  let json = JSON.stringify(result);
  if (fits(json)) return result;
  for (const lengthMax of textLengths) {
    json = JSON.stringify(result, (_key, value: unknown) =>
      typeof value === 'string' ? truncateText(value, lengthMax) : value,
    );
    if (fits(json)) break;
  }
  // A truncated text has the type of the text.
  return JSON.parse(json) as Result;
}

/** Truncates a text to a number of characters and notes its full length. Never splits a surrogate pair. */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [cut: the whole text has ${text.length} characters]`;
}

/** How many of the entries of a list fit into a result, at least one. */
export function countFitting(entries: readonly unknown[]): number {
  let remaining = contentBytesMax - noteBytesMax;
  const end = entries.findIndex((entry) => {
    remaining -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    return remaining < 0;
  });
  return end === -1 ? entries.length : Math.max(1, end);
}

/** Returns true if a text is small enough for the result of one tool call. */
export function fits(text: string): boolean {
  return Buffer.byteLength(text) <= contentBytesMax;
}
