import type { Weight } from '../scene.ts';
import { textWidth } from './text-width.ts';

interface Style {
  readonly size: number;
  readonly weight?: Weight;
}

const ellipsis = '…';
// Words with the space after them. Chinese, Japanese and Korean lines may break after every letter.
const wordPattern = /[^ \u2e80-\ud7a3]+ ?|[\u2e80-\ud7a3] ?| /g;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text, or the part of its beginning that fits before an ellipsis. Empty if the ellipsis does not fit. */
export function shortened(text: string, widthMax: number, { size, weight }: Style): string {
  if (textWidth(text, size, weight) <= widthMax) return text;
  const widthBeforeEllipsis = widthMax - textWidth(ellipsis, size, weight);
  if (widthBeforeEllipsis < 0) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text.slice(0, 600))) {
    width += textWidth(segment, size, weight);
    if (width > widthBeforeEllipsis) break;
    kept += segment;
  }
  return kept.trimEnd() === '' ? '' : kept.trimEnd() + ellipsis;
}

/** The text in at most `linesMax` lines, broken between words. A text that is too long ends in an ellipsis. */
export function wrapped(text: string, widthMax: number, linesMax: number, style: Style): string[] {
  if (textWidth(text, style.size, style.weight) <= widthMax) return [text];
  const words = text.match(wordPattern) ?? [];
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax - 1) lines.push(takeLine(words, widthMax, style));
  if (words.length > 0) lines.push(shortened(words.join('').trimEnd(), widthMax, style));
  return lines.filter((line) => line !== '');
}

/** The text in lines without a broken or shortened word, or undefined if that needs too many lines. */
export function wrappedWhole(
  text: string,
  widthMax: number,
  linesMax: number,
  style: Style,
): string[] | undefined {
  if (textWidth(text, style.size, style.weight) <= widthMax) return [text];
  const words = text.match(wordPattern) ?? [];
  if (words.some((word) => textWidth(word.trimEnd(), style.size, style.weight) > widthMax)) return undefined;
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax) lines.push(takeLine(words, widthMax, style));
  return words.length === 0 ? lines : undefined;
}

/** Takes from the front the words that fit on one line; a single word that does not fit is shortened. */
function takeLine(words: string[], widthMax: number, style: Style): string {
  let line = words.shift() ?? '';
  let next = words[0];
  while (next !== undefined && textWidth((line + next).trimEnd(), style.size, style.weight) <= widthMax) {
    line += next;
    words.shift();
    next = words[0];
  }
  return shortened(line.trimEnd(), widthMax, style);
}
