import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inRounds, median } from '../../../tests/bench/rounds.ts';
import type { Drawing, Timing } from './contender-process.ts';
import { contenders } from './contenders.ts';

const rounds = 5;
const warmUpMs = 1000;
const roundMs = 400;

/** The median time of a picture for each contender; undefined for a contender that lacks the format. */
export async function compare(drawing: Omit<Drawing, 'ms'>): Promise<(Timing | undefined)[]> {
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
