import { shortened, type Style } from './text-fit.ts';
import { textWidth } from './text-width.ts';

const cuts = ['end', 'middle', 'start'] as const;

/**
 * Texts shortened at the end, or where that makes different texts equal, in the middle or at the start. Undefined if
 * different texts would be equal even so.
 */
export function shortenedApart(
  texts: readonly string[],
  widthMaxOf: (index: number) => number,
  style: Style,
): readonly string[] | undefined {
  let result = texts.map((text, i) => shortened(text, widthMaxOf(i), style));
  for (const cut of cuts) {
    const ambiguous = ambiguousIn(texts, result);
    if (ambiguous.size === 0) return result;
    result = result.map((text, i) =>
      ambiguous.has(text) ? shortened(texts[i] ?? '', widthMaxOf(i), style, cut) : text,
    );
  }
  return ambiguousIn(texts, result).size === 0 ? result : undefined;
}

/** As `shortenedApart`, with a number after texts that would be equal to others. */
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

/** The shortened texts that stand for several different ones. An empty text stands for none. */
function ambiguousIn(texts: readonly string[], short: readonly string[]): ReadonlySet<string> {
  const origins = new Map<string, string>();
  const ambiguous = new Set<string>();
  short.forEach((text, i) => {
    const origin = texts[i] ?? '';
    if (text === '' || (origins.get(text) ?? origin) === origin) origins.set(text, origin);
    else ambiguous.add(text);
  });
  return ambiguous;
}
