import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = 'pdftoppm';
const fonts = fileURLToPath(new URL('../src/fonts', import.meta.url));
// The shipped typeface has the metrics of Helvetica. PDF readers have Helvetica, but poppler does not.
const fontConfig = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include>/etc/fonts/fonts.conf</include><dir>${fonts}</dir></fontconfig>
`;

/** Returns true if this machine can draw PDF pages. */
export function drawsPdfPages(): boolean {
  return spawnSync(command, ['-v']).error === undefined;
}

/** Draws the page of `name.pdf` as `name-pdf.png`. Each pixel of the chart becomes a pixel of the picture. */
export function drawPdfPage(folder: string, name: string): void {
  const [config, page] = [join(folder, 'fonts.conf'), join(folder, name)];
  writeFileSync(config, fontConfig);
  const options = ['-png', '-singlefile', '-r', '96'];
  const { status, stderr } = spawnSync(command, [...options, `${page}.pdf`, `${page}-pdf`], {
    env: { ...process.env, FONTCONFIG_FILE: config },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} cannot draw ${page}.pdf: ${stderr}`);
}
