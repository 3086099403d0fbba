import { isPlain } from '../request/chart-text.ts';
import type { Weight } from '../scene.ts';
import { textWidth } from './text-width.ts';

export interface Style {
  readonly size: number;
  readonly weight?: Weight;
}

export const ellipsis = '…';
const breakMarks = /\s{2,}|[^\S ]|[\u00ad\u200b]/g;

/** A text without its line breaks, places to break and no-break spaces, as it is drawn on one line. */
export function onOneLine(text: string): string {
  return isPlain(text) ? text : text.replace(breakMarks, (mark) => (mark.trim() === '' ? ' ' : ''));
}

// Classes of UAX #14: a line may break between ideographs, at U+200B and at U+00AD. Even beside a space, it does not
// end with an opening bracket (OP), or begin with a closing one, a mark or small kana (CL, EX, NS, CJ).
const ideographs = '\\u2e80-\\ud7a3\\uff00-\\uffef\\u{20000}-\\u{3ffff}';
const opening = '\\p{Ps}\\p{Pi}\\p{Sc}';
const closing =
  '\\p{Pe}\\p{Pf}\\p{M},.:;!?%‰℃،؛؟।॥、。，．・：；？！‥…〜ー゛゜々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ％｡､･ｧ-ｰﾞﾟๆໆៗ។-៖၊။';
const [breaks, hyphen] = ['\u200b\u00ad\n', /\u00ad$/];
const letters = `[^ ${breaks}${ideographs}]`;
// Scripts without spaces between words: Thai, Lao, Burmese and Khmer.
const spaceless = '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff';
const spacelessRuns = new RegExp(`[${spaceless}]+`, 'g');
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
// Matches a word with what precedes and follows it: opening and closing marks, and a space or another place to break.
const wordPattern = new RegExp(
  `(?:[${opening}] ?)*(?:${letters}+(?<![${opening}])(?=[${opening}]*[${ideographs}]|[${opening}]+[${spaceless}])|${letters}+|[${ideographs}])` +
    `[${closing}]*(?:\n[${closing}]+| [${closing}]+(?!${letters}))*[ ${breaks}]?|[^]`,
  'gu',
);
// A word that is too long may also break before a capital letter or after one of these characters. Numbers and dates,
// such as 1.5 and 31/1, stay whole.
const partsOfWords = /(?<=[/.\-_@:\u0f0b])(?![/.\-_@: ]|(?<=\d[/.\-:])\d)|(?<=\p{Ll})(?=\p{Lu})/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text, or as much of it as fits with an ellipsis. Empty if not even the ellipsis fits. `shareBefore` is the share
 * of the kept letters before the ellipsis: 1 to cut the text at its end, 0 to cut it at its start.
 */
export function shortened(text: string, widthMax: number, style: Style, shareBefore = 1): string {
  if (doesFit(text, widthMax, style)) return text;
  const segments = graphemes.segment(text);
  // A letter, as a reader sees it, may have several characters.
  const letterAt = (index: number): number => segments.containing(index)?.index ?? text.length;
  const withLetters = (count: number): string => {
    const head = Math.ceil(count * shareBefore);
    const tail = text.length - (count - head);
    return text.slice(0, letterAt(head)).trimEnd() + ellipsis + text.slice(letterAt(tail)).trimStart();
  };
  let [fits, exceeds] = [0, text.length];
  while (exceeds - fits > 1) {
    const count = Math.floor((fits + exceeds) / 2);
    if (doesFit(withLetters(count), widthMax, style)) fits = count;
    else exceeds = count;
  }
  const short = withLetters(fits);
  return short === ellipsis ? '' : short;
}

/** The text in at most `linesMax` lines, broken between words. If it is too long, it ends with an ellipsis. */
export function wrapped(text: string, widthMax: number, linesMax: number, style: Style): string[] {
  const whole = wrappedWhole(text, widthMax, linesMax, style);
  if (whole !== undefined) return whole;
  // Without its line breaks, the text may fit.
  if (text.includes('\n')) return wrapped(text.replaceAll('\n', ' '), widthMax, linesMax, style);
  const words = wordsOf(text, widthMax, style);
  const lines = Array.from({ length: linesMax - 1 }, () => takeLine(words, widthMax, style));
  const last = shortened(words.join('').trimEnd(), widthMax, style);
  return [...lines, last].filter((line) => line !== '');
}

/** The text in lines without shortening a word; undefined if this needs too many lines or a wider one. */
export function wrappedWhole(
  text: string,
  widthMax: number,
  linesMax: number,
  style: Style,
): string[] | undefined {
  if (text.includes('\n')) {
    const parts = text.split('\n').map((part) => wrappedWhole(part, widthMax, linesMax, style));
    const lines = parts.flatMap((part) => part ?? []);
    return parts.includes(undefined) || lines.length > linesMax ? undefined : lines;
  }
  if (doesFit(text, widthMax, style)) return [text];
  // For a text that is much too long, finding its words would take longer than this check.
  if (!doesFit(text, (widthMax + style.size) * linesMax, style)) return undefined;
  const words = wordsOf(text, widthMax, style);
  if (!words.every((word) => doesFit(word.trimEnd(), widthMax, style))) return undefined;
  const lines = Array.from({ length: linesMax }, () => takeLine(words, widthMax, style));
  return words.length === 0 ? lines.filter((line) => line !== '') : undefined;
}

/** Like `wrapped`, with lines that are as equal in width as possible. */
export function balanced(text: string, widthMax: number, linesMax: number, style: Style): string[] {
  const lines = wrapped(text, widthMax, linesMax, style);
  if (lines.length < 2 || text.includes('\n') || lines.at(-1)?.endsWith(ellipsis)) return lines;
  let [narrow, wide] = [widthMax / lines.length, widthMax];
  let best = lines;
  while (wide - narrow > style.size / 4) {
    const width = (narrow + wide) / 2;
    const next = wrappedWhole(text, width, lines.length, style);
    if (next === undefined) narrow = width;
    else [best, wide] = [next, width];
  }
  return best;
}

/** The words of a text. A word that does not fit into a line is split. */
function wordsOf(text: string, widthMax: number, style: Style): string[] {
  const parted = text.replace(spacelessRuns, (run) =>
    Array.from(segmenter.segment(run), ({ segment }) => segment).join('\n'),
  );
  const words = (parted.match(wordPattern) ?? []).map((word) => word.replaceAll('\n', ''));
  return words.flatMap((word) =>
    doesFit(word.trimEnd(), widthMax, style) ? [word] : word.split(partsOfWords),
  );
}

function doesFit(text: string, widthMax: number, { size, weight }: Style): boolean {
  return textWidth(text, size, weight) <= widthMax;
}

/** Takes from the front the words that fit on one line. If the first word does not fit, it is shortened. */
function takeLine(words: string[], widthMax: number, style: Style): string {
  let line = words.shift() ?? '';
  while (words.length > 0 && doesFit((line + (words[0] ?? '')).trimEnd(), widthMax, style))
    line += words.shift() ?? '';
  const trimmed = line.trimEnd();
  return shortened(words.length === 0 ? trimmed : trimmed.replace(hyphen, '-'), widthMax, style);
}

/**
 * Shortens texts so that different texts stay different: cuts all of them at the end, in the middle or at the start.
 * Undefined if every cut makes two different texts equal.
 */
export function shortenedApart(
  texts: readonly string[],
  widthMax: number,
  style: Style,
): readonly string[] | undefined {
  if (texts.every((text) => doesFit(text, widthMax, style))) return texts;
  return [1, 0.5, 0]
    .values()
    .map((shareBefore) => texts.map((text) => shortened(text, widthMax, style, shareBefore)))
    .find((short) => areApart(texts, short));
}

/** Like `shortenedApart`, but adds numbers to texts that would be equal. */
export function distinctTexts(texts: readonly string[], widthMax: number, style: Style): readonly string[] {
  const apart = shortenedApart(texts, widthMax, style);
  if (apart !== undefined) return apart;
  const numbers = new Map([...new Set(texts)].map((text, i) => [text, ` ${i + 1}`]));
  return texts.map((text) => {
    if (doesFit(text, widthMax, style)) return text;
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
