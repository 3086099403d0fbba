import { ellipsis, shortened, type Style } from './text-fit.ts';
import { textWidth } from './text-width.ts';

const cuts = ['end', 'middle', 'start'] as const;

/**
 * Shortens texts so that different texts stay different: cuts all of them at the end, in the middle or at the start. A
 * cut by which each text can be recognized is preferred. Undefined if every cut makes two different texts equal.
 */
export function shortenedApart(
  texts: readonly string[],
  widthMaxOf: (index: number) => number,
  style: Style,
): readonly string[] | undefined {
  if (texts.every((text, i) => textWidth(text, style.size, style.weight) <= widthMaxOf(i))) return texts;
  const apart = cuts
    .map((cut) => texts.map((text, i) => shortened(text, widthMaxOf(i), style, cut)))
    .filter((short) => areApart(texts, short));
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
    const room = widthMax - textWidth(number, style.size, style.weight);
    return (shortened(text, room, style) + number).trimStart();
  });
}

/** Returns true if no short text stands for several different texts. The empty text does not count. */
export function areApart(texts: readonly string[], short: readonly string[]): boolean {
  const origins = new Map<string, string>();
  return short.every((text, i) => {
    const origin = texts[i] ?? '';
    if (text !== '' && !origins.has(text)) origins.set(text, origin);
    return text === '' || origins.get(text) === origin;
  });
}
