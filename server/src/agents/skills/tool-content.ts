/** How much of a conversation the answer of one tool may take. */
export const contentBytesMax = 64 * 1024;

// Longest texts first; by the last of them every single task and comment fits.
const textLengths = [16_384, 8_192, 4_096, 2_048];
const noteBytesMax = 512;

/**
 * What a model reads of an answer, as JSON that fits. Where it is too much, long texts lose their ends and then a list its
 * last entries; the answer says so, and what to ask for instead.
 */
export function contentOf(answer: object): string {
  const whole = JSON.stringify(answer);
  if (fits(whole)) return whole;
  let short = whole;
  for (const lengthMax of textLengths) {
    short = JSON.stringify(answer, (_key, value: unknown) =>
      typeof value === 'string' ? cutText(value, lengthMax) : value,
    );
    if (fits(short)) return short;
  }
  return JSON.stringify(withFewerEntries(Object.entries(JSON.parse(short) as object)));
}

/** A text of at most so many characters and a remark on the others. A pair of surrogates is never parted. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [cut: the whole text has ${text.length} characters]`;
}

function withFewerEntries(fields: readonly (readonly [string, unknown])[]): object {
  const shortened = fields.flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [[name, value] as const];
    const kept = firstThatFit(value);
    const note = `Only the first ${kept.length} of ${value.length} entries fit here. Ask for fewer with "limit", and for those that follow by adding ${kept.length} to "offset".`;
    return [[name, kept] as const, ['note', note] as const];
  });
  return Object.fromEntries(shortened);
}

function firstThatFit(entries: readonly unknown[]): readonly unknown[] {
  let left = contentBytesMax - noteBytesMax;
  const end = entries.findIndex((entry) => {
    left -= Buffer.byteLength(JSON.stringify(entry)) + 1;
    return left < 0;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= contentBytesMax;
}
