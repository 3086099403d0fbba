/**
 * Writes every case in every format into data/gallery, and a page that shows them side by side. Look at the pictures
 * after changing a layout: `npm run gallery`; `npm run gallery -- pie` for the cases with "pie" in their name;
 * `npm run gallery -- pie 400x300` for another size.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderPdf, renderPng, renderSvg } from '../src/index.ts';
import { escaped } from '../src/paint/svg.ts';
import { cases, requestOf } from './cases.ts';

const folder = join(import.meta.dirname, '../../../data/gallery');
const [wanted = '', size = ''] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number);
const sized = width === undefined || height === undefined ? {} : { width, height, scale: 1 };

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const sections = Object.entries(cases)
  .filter(([name]) => name.includes(wanted))
  .map(([name, fields], i) => {
    const request = requestOf({ ...fields, ...sized });
    const file = `${String(i + 1).padStart(2, '0')}-${name.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}`;
    writeFileSync(join(folder, `${file}.svg`), renderSvg(request));
    writeFileSync(join(folder, `${file}.png`), renderPng(request).bytes);
    writeFileSync(join(folder, `${file}.pdf`), renderPdf(request).bytes);
    return section(name, file);
  });
writeFileSync(join(folder, 'index.html'), page(sections));
console.log(`${sections.length} cases in three formats: ${join(folder, 'index.html')}`);

function section(name: string, file: string): string {
  return `<section><h2>${escaped(name)}</h2><div><img src="${file}.svg"><img src="${file}.png"><object data="${file}.pdf"></object></div></section>`;
}

function page(content: readonly string[]): string {
  return `<!doctype html><meta charset="utf-8"><title>Charts in SVG, PNG and PDF</title>
<style>body{font:14px sans-serif;background:#cdd}div{display:grid;grid-template-columns:repeat(3,1fr);gap:8px}img{max-width:100%;max-height:400px}object{width:100%;height:400px}</style>
${content.join('\n')}\n`;
}
