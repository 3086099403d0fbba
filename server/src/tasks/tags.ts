import { isStorable } from '../lib/text.ts';

/** The tags in a JSON array of strings or in a comma-separated list, without duplicates. */
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
      ? // An escape in JSON can encode a character that cannot be stored.
        value.filter((each) => typeof each === 'string' && isStorable(each))
      : undefined;
  } catch {
    return undefined;
  }
}
