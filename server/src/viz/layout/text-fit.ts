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

/** The text itself, or as much of its beginning as fits before an ellipsis. Empty when not even that fits. */
export function shortened(text: string, room: number, { size, weight }: Style): string {
  if (textWidth(text, size, weight) <= room) return text;
  const roomBeforeEllipsis = room - textWidth(ellipsis, size, weight);
  if (roomBeforeEllipsis < 0) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text.slice(0, 600))) {
    width += textWidth(segment, size, weight);
    if (width > roomBeforeEllipsis) break;
    kept += segment;
  }
  return kept.trimEnd() === '' ? '' : kept.trimEnd() + ellipsis;
}

/** The text in at most `linesMax` lines, broken between words. What is too long ends in an ellipsis. */
export function wrapped(text: string, room: number, linesMax: number, style: Style): string[] {
  if (textWidth(text, style.size, style.weight) <= room) return [text];
  const words = text.match(wordPattern) ?? [];
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax - 1) lines.push(takeLine(words, room, style));
  if (words.length > 0) lines.push(shortened(words.join('').trimEnd(), room, style));
  return lines.filter((line) => line !== '');
}

/** The text in lines without breaking or shortening any word, or undefined when that takes too many. */
export function wrappedWhole(
  text: string,
  room: number,
  linesMax: number,
  style: Style,
): string[] | undefined {
  if (textWidth(text, style.size, style.weight) <= room) return [text];
  const words = text.match(wordPattern) ?? [];
  if (words.some((word) => textWidth(word.trimEnd(), style.size, style.weight) > room)) return undefined;
  const lines: string[] = [];
  while (words.length > 0 && lines.length < linesMax) lines.push(takeLine(words, room, style));
  return words.length === 0 ? lines : undefined;
}

/** Takes from the front the words that fit on one line; a single word that does not fit is shortened. */
function takeLine(words: string[], room: number, style: Style): string {
  let line = words.shift() ?? '';
  let next = words[0];
  while (next !== undefined && textWidth((line + next).trimEnd(), style.size, style.weight) <= room) {
    line += next;
    words.shift();
    next = words[0];
  }
  return shortened(line.trimEnd(), room, style);
}
