/**
 * Writes the table of text widths from the shipped font files: for each face, runs of consecutive characters with their
 * first code point and their advance widths in 1/2048 em. The layout measures text by this table, so that a chart looks
 * the same on every machine. Run `npm run fonts` after changing a font. With --check, writes nothing and fails if the
 * table is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import opentype from 'opentype.js';

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
  const font = opentype.parse(new Uint8Array(readFileSync(new URL(file, folder))).buffer);
  if (font.unitsPerEm !== 2048) throw new Error(`${file} does not have 2048 units per em.`);
  const result: Run[] = [];
  // The Basic Multilingual Plane. Glyph 0 stands for characters that the font lacks.
  for (let code = 0; code < 0xffff; code++) {
    const glyph = font.charToGlyphIndex(String.fromCharCode(code));
    if (glyph === 0) continue;
    const advance = font.glyphs.get(glyph).advanceWidth;
    const last = result.at(-1);
    if (last && last.first + last.advances.length === code) last.advances.push(advance);
    else result.push({ first: code, advances: [advance] });
  }
  return result;
}
