import { max } from 'd3-array';
import widths from '../fonts/generated/widths.json' with { type: 'json' };
import type { Weight } from '../scene.ts';

const unitsPerEm = 2048;
const tables: Readonly<Record<Weight, Uint16Array>> = {
  regular: tableOf(widths.regular),
  bold: tableOf(widths.bold),
};

// Characters without a width: marks above and below letters, joiners and format characters.
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;
// The widths of letters that the font lacks. Widths of Indian scripts are averages of the Noto fonts, rounded up.
const letterWidths = [
  { first: 0x900, last: 0xaff, em: 0.55 }, // Devanagari, Bengali, Gurmukhi, Gujarati
  { first: 0xb80, last: 0xbff, em: 0.9 }, // Tamil
  { first: 0xc00, last: 0xc7f, em: 0.85 }, // Telugu
  { first: 0xc80, last: 0xcff, em: 0.75 }, // Kannada
  { first: 0xd00, last: 0xd7f, em: 0.85 }, // Malayalam
  { first: 0xd80, last: 0xdff, em: 1 }, // Sinhala
  { first: 0x1100, last: 0x115f, em: 1 }, // Korean
  { first: 0x2300, last: 0x2bff, em: 1 }, // symbols that are often drawn as emoji
  { first: 0x2e80, last: 0xd7a3, em: 1 }, // Chinese, Japanese, Korean
  { first: 0xd800, last: 0xdfff, em: 0.67 }, // halves of surrogate pairs, usually of an emoji
  { first: 0xf900, last: 0xfaff, em: 1 }, // Chinese
  { first: 0xff00, last: 0xff60, em: 1 }, // full-width forms
] as const;

/** The width of a text in the shipped font. For characters that the font lacks, the width is estimated by script. */
export function textWidth(text: string, size: number, weight: Weight = 'regular'): number {
  const table = tables[weight];
  let units = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    units += table[code] || unitsBeyondFont(code);
  }
  return (units * size) / unitsPerEm;
}

/** The width of the widest text; 0 without any. */
export function widest(texts: readonly string[], size: number, weight?: Weight): number {
  return max(texts, (text) => textWidth(text, size, weight)) ?? 0;
}

/** Returns true if the shipped font has every character of the text. */
export function isCovered(text: string): boolean {
  return Array.from(text).every((letter) => (tables.regular[letter.charCodeAt(0)] ?? 0) > 0);
}

/** Estimates the width of a UTF-16 unit. */
function unitsBeyondFont(code: number): number {
  const { em } = letterWidths.find(({ first, last }) => code >= first && code <= last) ?? { em: 0.65 };
  return zeroWidth.test(String.fromCharCode(code)) ? 0 : em * unitsPerEm;
}

function tableOf(runs: typeof widths.regular): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (const { first, advances } of runs) table.set(advances, first);
  return table;
}
