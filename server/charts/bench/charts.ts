/**
 * `npm run bench -- charts [part]` compares charts with other libraries. A part such as `PNG` selects the comparisons
 * with that text in their names; `memory` measures a render process.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { renderProcessOptions } from '../../src/viz/render-process.ts';
import { installPeers } from '../../../tests/support/install-peers.ts';
import { integer, table } from '../../../tests/bench/markdown.ts';
import { compare, type Timing } from './compare.ts';
import { contenders, type Format } from './contenders.ts';
import { kinds, type Kind } from './inputs.ts';

interface Comparison {
  readonly format: Format;
  readonly isCyrillic: boolean;
  /** The targets, as multiples of the fastest peer's speed. */
  readonly targets: Readonly<Record<Kind, number>>;
}

const comparisons: Readonly<Record<string, Comparison>> = {
  SVG: { format: 'svg', isCyrillic: false, targets: { bar: 40, line: 30, pie: 30 } },
  PNG: { format: 'png', isCyrillic: false, targets: { bar: 3, line: 3, pie: 3 } },
  'PDF, Latin text': { format: 'pdf', isCyrillic: false, targets: { bar: 6, line: 9, pie: 6 } },
  'PDF, other scripts': { format: 'pdf', isCyrillic: true, targets: { bar: 3, line: 6, pie: 3 } },
};

export async function benchCharts(only = ''): Promise<void> {
  const chosen = Object.entries(comparisons).filter(([name]) => name.includes(only));
  const rows: string[][] = [];
  if (chosen.length > 0) installPeers(join(import.meta.dirname, '../../../tests/bench/peers'));
  for (const [name, { format, isCyrillic, targets }] of chosen) {
    for (const kind of kinds) {
      const timings = await compare({ format, isCyrillic, kind });
      rows.push([`${name}, ${kind}`, ...timings.map(cell), ...verdict(timings, targets[kind])]);
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

function verdict([ours, ...peers]: readonly (Timing | undefined)[], target: number): string[] {
  const fastestMs = Math.min(...peers.map((peer) => peer?.medianMs ?? Infinity));
  const times = fastestMs / (ours?.medianMs ?? NaN);
  return [times.toFixed(1), `${target}: ${times >= target ? 'met' : '**missed**'}`];
}

/** The memory of a render process over 10,000 pictures, and its peak with the largest pictures. */
function memoryOfRenderProcess(): string {
  const program = join(import.meta.dirname, 'render-memory.ts');
  return execFileSync(process.execPath, [...renderProcessOptions, program], { encoding: 'utf8' });
}
