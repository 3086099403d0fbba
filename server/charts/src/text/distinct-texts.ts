import { ellipsis, shortened, type Style } from './text-fit.ts';
import { textWidth } from './text-width.ts';

const cuts = ['end', 'middle', 'start'] as const;

/**
 * Shortens texts so that different texts stay different: all of them at the end, in the middle or at the start, if
 * possible so that each text can be recognized. Undefined if two different texts would become equal each time.
 */
export function shortenedApart(
  texts: readonly string[],
  widthMaxOf: (index: number) => number,
  style: Style,
): readonly string[] | undefined {
  if (texts.every((text, i) => textWidth(text, style.size, style.weight) <= widthMaxOf(i))) return texts;
  const apart = cuts
    .map((cut) => texts.map((text, i) => shortened(text, widthMaxOf(i), style, cut)))
    .filter((short) => ambiguousIn(texts, short).size === 0);
  return apart.find((short) => areRecognizable(texts, short)) ?? apart[0];
}

/** Returns true if each short text could come from only one of the texts. */
function areRecognizable(texts: readonly string[], short: readonly string[]): boolean {
  return texts.every((text, i) => {
    const rest = short[i] ?? '';
    const at = rest.indexOf(ellipsis);
    if (rest === text || at < 0) return true;
    const [head, tail] = [rest.slice(0, at), rest.slice(at + 1)];
    return !texts.some((other) => other !== text && other.startsWith(head) && other.endsWith(tail));
  });
}

/** Like `shortenedApart`, but adds numbers to texts that would be equal. */
export function distinctTexts(texts: readonly string[], widthMax: number, style: Style): readonly string[] {
  const apart = shortenedApart(texts, () => widthMax, style);
  if (apart !== undefined) return apart;
  const numbers = new Map([...new Set(texts)].map((text, i) => [text, ` ${i + 1}`]));
  return texts.map((text) => {
    if (textWidth(text, style.size, style.weight) <= widthMax) return text;
    const number = numbers.get(text) ?? '';
    return (
      shortened(text, widthMax - textWidth(number, style.size, style.weight), style) + number
    ).trimStart();
  });
}

/** The short texts that stand for several different texts. The empty text does not count. */
export function ambiguousIn(texts: readonly string[], short: readonly string[]): ReadonlySet<string> {
  const origins = new Map<string, string>();
  const ambiguous = new Set<string>();
  short.forEach((text, i) => {
    const origin = texts[i] ?? '';
    if (text === '' || (origins.get(text) ?? origin) === origin) origins.set(text, origin);
    else ambiguous.add(text);
  });
  return ambiguous;
}
