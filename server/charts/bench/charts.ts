/**
 * `npm run bench -- charts [part]` compares charts with other libraries. A part such as `PNG` selects the comparisons
 * with that text in their names; `memory` measures a render process.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { renderProcessOptions } from '../../src/viz/render-pool.ts';
import { installPeers } from '../../../tests/support/install-peers.ts';
import { integer, table } from '../../../tests/bench/markdown.ts';
import { compare, type Timing } from './compare.ts';
import { contenders, type Format } from './contenders.ts';
import { kinds } from './inputs.ts';

// In PDF, the text is Cyrillic, so that we embed fonts as the peers do. Latin text needs none in our files.
const comparisons: Readonly<Record<string, { format: Format; isCyrillic: boolean }>> = {
  SVG: { format: 'svg', isCyrillic: false },
  PNG: { format: 'png', isCyrillic: false },
  PDF: { format: 'pdf', isCyrillic: true },
};

/** The least speed, as a multiple of the fastest peer's speed. */
const target = 2.5;

export async function benchCharts(only = ''): Promise<void> {
  const chosen = Object.entries(comparisons).filter(([name]) => name.includes(only));
  const rows: string[][] = [];
  if (chosen.length > 0) installPeers(join(import.meta.dirname, '../../../tests/bench/peers'));
  for (const [name, { format, isCyrillic }] of chosen) {
    for (const kind of kinds) {
      const timings = await compare({ format, isCyrillic, kind });
      rows.push([`${name}, ${kind}`, ...timings.map(cell), ...verdict(timings)]);
    }
  }
  const headings = ['ms, bytes', ...contenders.map(({ name }) => name), 'times as fast', 'target'];
  if (rows.length > 0) console.log(table(headings, rows));
  if ('memory'.includes(only)) console.log(memoryOfRenderProcess());
}

/** The median time and the size of a picture. */
function cell(timing: Timing | undefined): string {
  return timing === undefined ? '' : `${timing.medianMs.toFixed(3)}, ${integer(timing.bytes)}`;
}

function verdict([ours, ...peers]: readonly (Timing | undefined)[]): string[] {
  const fastestMs = Math.min(...peers.map((peer) => peer?.medianMs ?? Infinity));
  const times = fastestMs / (ours?.medianMs ?? NaN);
  return [times.toFixed(1), `${target}: ${times >= target ? 'met' : '**missed**'}`];
}

/** The memory of a render process over 10,000 pictures, and its peak with the largest pictures. */
function memoryOfRenderProcess(): string {
  const program = join(import.meta.dirname, 'render-memory.ts');
  return execFileSync(process.execPath, [...renderProcessOptions, program], { encoding: 'utf8' });
}
