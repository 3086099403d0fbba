/**
 * `npm run bench -- charts [part]` compares charts with other libraries. A part such as `PNG` selects the comparisons
 * with that text in their names; `memory` measures a render process.
 */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { renderProcessOptions } from '../../src/viz/render-pool.ts';
import { installPeers } from '../../../tests/support/install-peers.ts';
import { integer, table } from '../../../tests/bench/markdown.ts';
import { inRounds, median } from '../../../tests/bench/rounds.ts';
import type { Drawing, Timing } from './contender-process.ts';
import { contenders, formats } from './contenders.ts';
import { kinds } from './inputs.ts';

/** The speed that charts must reach, as a multiple of the fastest peer's speed. */
const target = 2.5;

const rounds = 5;
const warmUpMs = 1000;
const roundMs = 400;

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

/** The median time of a picture for each contender; undefined for a contender that lacks the format. */
async function compare(drawing: Omit<Drawing, 'ms'>): Promise<(Timing | undefined)[]> {
  const entries = contenders.filter(({ formats }) => formats.includes(drawing.format));
  const processes = await Promise.all(entries.map(({ name }) => startContender(name)));
  for (const child of processes) await draw(child, { ...drawing, ms: warmUpMs });
  const measures = processes.map((child) => () => draw(child, { ...drawing, ms: roundMs }));
  const results = await inRounds(rounds, measures);
  for (const child of processes) child.disconnect();
  return contenders.map((contender) => medianTiming(results[entries.indexOf(contender)] ?? []));
}

/** Each contender has its own process, because their native libraries conflict. */
async function startContender(name: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'contender-process.ts'), [name], { execArgv: [] });
  await once(child, 'message');
  return child;
}

async function draw(child: ChildProcess, drawing: Drawing): Promise<Timing> {
  child.send(drawing);
  // The process replies to each message with one timing.
  const [timing] = (await once(child, 'message')) as [Timing];
  return timing;
}

function medianTiming(timings: readonly Timing[]): Timing | undefined {
  const [first] = timings;
  return first && { ...first, medianMs: median(timings.map(({ medianMs }) => medianMs)) };
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
