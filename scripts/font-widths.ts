/**
 * Writes the table of text widths from the shipped font files: for each face, runs of consecutive characters with their
 * first code point and their advance widths in 1/2048 em. The layout measures text by this table, so that a chart looks
 * the same on every machine. Run `npm run fonts` after changing a font. With --check, writes nothing and fails if the
 * table is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Run {
  readonly first: number;
  readonly advances: number[];
}

const folder = new URL('../server/charts/src/fonts/', import.meta.url);

const tableFile = new URL('generated/widths.json', folder);
const table = `${JSON.stringify({ regular: widthsOf('Arimo-Regular.ttf'), bold: widthsOf('Arimo-Bold.ttf') })}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(tableFile, table);
} else if (readFileSync(tableFile, 'utf8') !== table) {
  console.error(
    'The table of text widths does not match the shipped fonts. Run "npm run fonts" and commit it.',
  );
  process.exitCode = 1;
}

function widthsOf(file: string): Run[] {
  const font = readFileSync(new URL(file, folder));
  if (uint16(font, tableAt(font, 'head') + 18) !== 2048)
    throw new Error(`${file} does not have 2048 units per em.`);
  const glyphs = glyphsByCharacter(font, tableAt(font, 'cmap'));
  const advanceOf = advances(font);
  return runs([...glyphs].sort(([a], [b]) => a - b).map(([code, glyph]) => [code, advanceOf(glyph)]));
}

function runs(widths: readonly (readonly [code: number, advance: number])[]): Run[] {
  const result: Run[] = [];
  for (const [code, advance] of widths) {
    const last = result.at(-1);
    if (last && last.first + last.advances.length === code) last.advances.push(advance);
    else result.push({ first: code, advances: [advance] });
  }
  return result;
}

function advances(font: Buffer): (glyph: number) => number {
  const metrics = tableAt(font, 'hmtx');
  const count = uint16(font, tableAt(font, 'hhea') + 34);
  return (glyph) => uint16(font, metrics + 4 * Math.min(glyph, count - 1));
}

/** Reads the Unicode subtable of format 4, which covers the Basic Multilingual Plane. */
function glyphsByCharacter(font: Buffer, cmap: number): Map<number, number> {
  const subtables = Array.from(
    { length: uint16(font, cmap + 2) },
    (_, i) => cmap + font.readUInt32BE(cmap + 8 + 8 * i),
  );
  const table = subtables.find((offset) => uint16(font, offset) === 4);
  if (table === undefined) throw new Error('The font has no cmap subtable of format 4.');
  const size = uint16(font, table + 6);
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < size; segment += 2) {
    const end = uint16(font, table + 14 + segment);
    const start = uint16(font, table + 16 + size + segment);
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = glyphIn(font, table + 16 + segment, size, code - start, code);
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
  return glyphs;
}

function glyphIn(font: Buffer, segment: number, size: number, index: number, code: number): number {
  const delta = uint16(font, segment + 2 * size);
  const rangeAt = segment + 3 * size;
  const range = uint16(font, rangeAt);
  if (range === 0) return (code + delta) & 0xffff;
  const glyph = uint16(font, rangeAt + range + 2 * index);
  return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
}

function tableAt(font: Buffer, tag: string): number {
  for (let entry = 12; entry < 12 + 16 * uint16(font, 4); entry += 16) {
    if (font.toString('latin1', entry, entry + 4) === tag) return font.readUInt32BE(entry + 8);
  }
  throw new Error(`The font has no table "${tag}".`);
}

function uint16(font: Buffer, offset: number): number {
  return font.readUInt16BE(offset);
}
