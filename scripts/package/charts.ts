import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shell } from './shell.ts';
import { bundle } from './tarball.ts';

const request = "{ title: 'é', data: [{ label: 'a', value: 1 }] }";

/** Draws in each format with the package of charts, and resolves to "used". */
export async function drawInNode(folder: string, tarball: string): Promise<string> {
  await shell(folder, 'npm', 'install', '--silent', tarball);
  const program = `import { renderPdf, renderPng, renderSvg } from '@worktable/charts';
const files = [Buffer.from(renderSvg(${request})), renderPng(${request}).bytes, renderPdf(${request}).bytes];
const starts = files.map((bytes) => bytes.toString('latin1', 0, 4)).join(' ');
if (starts !== '<svg \\x89PNG %PDF') throw new Error(starts);
console.log('used');
`;
  await writeFile(join(folder, 'use.mjs'), program);
  return shell(folder, 'node', 'use.mjs');
}

/** A script that draws an SVG in a page, and prints "used" when the browser shows it. */
export async function drawInPage(folder: string, tarball: string): Promise<string> {
  await shell(folder, 'npm', 'install', '--silent', '--ignore-scripts', tarball);
  const program = `import { renderSvg } from '@worktable/charts/svg';
const image = new Image();
image.src = 'data:image/svg+xml,' + encodeURIComponent(renderSvg(${request}));
await image.decode();
if (image.naturalWidth !== 800) throw new Error('The picture is not 800 pixels wide.');
console.log('used');
`;
  await writeFile(join(folder, 'page.mjs'), program);
  return bundle('./page.mjs', folder);
}
