/** The largest result of one tool call in a conversation. */
export const contentBytesMax = 64 * 1024;

// Tried in this order. With the last length, every single task and comment fits.
const textLengths = [16_384, 8_192, 4_096, 2_048];
const noteBytesMax = 512;

/** The longest sentence about a failed call. It may quote the arguments, which may be long. */
export const errorLengthMax = 8_192;

/**
 * The result of a tool as JSON that fits. If it is too large, long texts are truncated, and then the last entries of a
 * list are dropped; a note in the result says so and how to request the rest.
 */
export function toolContent(result: object): string {
  const short = truncateTexts(result);
  if (fits(short)) return short;
  return JSON.stringify(withFewerEntries(Object.entries(JSON.parse(short) as object)));
}

/** A result as JSON in which no text is truncated more than the size of the result requires. */
export function truncateTexts(result: object): string {
  const full = JSON.stringify(result);
  if (fits(full)) return full;
  let short = full;
  for (const lengthMax of textLengths) {
    short = JSON.stringify(result, (_key, value: unknown) =>
      typeof value === 'string' ? truncateText(value, lengthMax) : value,
    );
    if (fits(short)) break;
  }
  return short;
}

/** Truncates a text to a number of characters and notes its full length. Never splits a surrogate pair. */
export function truncateText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [cut: the whole text has ${text.length} characters]`;
}

function withFewerEntries(fields: readonly (readonly [string, unknown])[]): object {
  const shortened = fields.flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [[name, value] as const];
    const kept = entriesThatFit(value);
    const note = `Only the first ${kept.length} of ${value.length} entries fit here. Ask for fewer with "limit", and for those that follow by adding ${kept.length} to "offset".`;
    return [[name, kept] as const, ['note', note] as const];
  });
  return Object.fromEntries(shortened);
}

/** The first entries of a list that fit into one result. */
export function entriesThatFit(entries: readonly unknown[]): readonly unknown[] {
  let remaining = contentBytesMax - noteBytesMax;
  const end = entries.findIndex((entry) => {
    remaining -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    return remaining < 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

/** Whether a text is small enough for the result of one tool call. */
export function fits(text: string): boolean {
  return Buffer.byteLength(text) <= contentBytesMax;
}
