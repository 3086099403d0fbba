/**
 * `npm run bench -- charts [part]` compares charts with other libraries. A part such as `PNG` selects the comparisons
 * with that text in their names; `memory` measures a render process.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { renderProcessOptions } from '../../src/viz/render-pool.ts';
import { installPeers } from '../../../tests/support/install-peers.ts';
import { integer, table } from '../../../tests/bench/markdown.ts';
import { compare } from './compare.ts';
import type { Timing } from './contender-process.ts';
import { contenders, formats } from './contenders.ts';
import { kinds } from './inputs.ts';

/** The least speed, as a multiple of the fastest peer's speed. */
const target = 2.5;

export async function benchCharts(only = ''): Promise<void> {
  const chosen = formats.filter((format) => format.toUpperCase().includes(only));
  const rows: string[][] = [];
  if (chosen.length > 0) installPeers(join(import.meta.dirname, '../../../tests/bench/peers'));
  for (const format of chosen) {
    for (const kind of kinds) {
      const timings = await compare({ format, kind });
      rows.push([`${format.toUpperCase()}, ${kind}`, ...timings.map(cell), ...verdict(timings)]);
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
