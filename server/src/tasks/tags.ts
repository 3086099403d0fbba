/** The tags in a text that holds a JSON array of strings or a comma-separated list, without repetitions. */
export function tagsFromText(text: string | null): string[] {
  if (text === null) return [];
  const tags = (jsonStrings(text) ?? text.split(',')).map((tag) => tag.trim()).filter((tag) => tag !== '');
  return [...new Set(tags)];
}

function jsonStrings(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value)
      ? value.filter((each) => typeof each === 'string' && isStorable(each))
      : undefined;
  } catch {
    return undefined;
  }
}

/** An escape in the JSON can stand for a character that the text itself may not have. */
function isStorable(tag: string): boolean {
  return !/[\0\p{Cs}]/u.test(tag);
}
