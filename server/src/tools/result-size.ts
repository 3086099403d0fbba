/** The largest result of one tool call. */
export const contentBytesMax = 64 * 1024;

// These lengths are tried in order. With the last one, nearly every page of the default size fits. Ids are shorter.
const textLengths = [16_384, 4_096, 1_024, 256];

/** The maximum length of a sentence about a failed call, which may quote long arguments. */
export const errorLengthMax = 8_192;

/** Truncates the texts of a result as little as possible, so that the result fits. */
export function withShortTexts<Result extends object>(result: Result): Result {
  let json = JSON.stringify(result);
  if (fits(json)) return result;
  for (const lengthMax of textLengths) {
    json = JSON.stringify(result, (name, value: unknown) =>
      typeof value === 'string' && name !== 'next_cursor' ? truncateText(value, lengthMax) : value,
    );
    if (fits(json)) break;
  }
  // The cast is safe, because truncated text is still text.
  return JSON.parse(json) as Result;
}

/** Truncates a text to a number of characters and notes its full length. Never splits a surrogate pair. */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [cut: the whole text has ${text.length} characters]`;
}

/** Returns true if a text fits into the result of one tool call. */
export function fits(text: string): boolean {
  return Buffer.byteLength(text) <= contentBytesMax;
}
