import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../median.ts';
import { contenders, type Format } from './contenders.ts';
import type { Task, Timing } from './contender.ts';
import type { Input } from './inputs.ts';

export interface Result extends Timing {
  readonly name: string;
  readonly role: 'ours' | 'peer';
}

export interface Comparison {
  readonly title: string;
  readonly format: Format;
  readonly isCyrillic: boolean;
  /** The targets, as multiples of the speed of the fastest peer. */
  readonly targets: Readonly<Record<Input['kind'], number>>;
}

export const comparisons: readonly Comparison[] = [
  { title: 'SVG', format: 'svg', isCyrillic: false, targets: { bar: 40, line: 30, pie: 30 } },
  { title: 'PNG', format: 'png', isCyrillic: false, targets: { bar: 3, line: 3, pie: 3 } },
  { title: 'PDF, Latin text', format: 'pdf', isCyrillic: false, targets: { bar: 6, line: 9, pie: 6 } },
  { title: 'PDF, other scripts', format: 'pdf', isCyrillic: true, targets: { bar: 3, line: 6, pie: 3 } },
];

const rounds = 5;
const warmUpMs = 1000;
const roundMs = 400;

/** Measures the contenders alternately, so that other load affects all of them. */
export async function compare(comparison: Comparison, kind: Input['kind']): Promise<Result[]> {
  const { format, isCyrillic } = comparison;
  const entries = contenders.filter(({ formats }) => formats.includes(format));
  const processes = await Promise.all(entries.map(({ name }) => startContender(name)));
  const task = { format, kind, isCyrillic };
  for (const child of processes) await draw(child, { ...task, ms: warmUpMs });
  const timings: Timing[][] = entries.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, child] of processes.entries())
      timings[i]?.push(await draw(child, { ...task, ms: roundMs }));
  }
  for (const child of processes) child.disconnect();
  return entries.map(({ name, role }, i) => ({ name, role, ...medianTiming(timings[i] ?? []) }));
}

async function startContender(name: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('contender.ts', import.meta.url)), [name], { execArgv: [] });
  await once(child, 'message');
  return child;
}

async function draw(child: ChildProcess, task: Task): Promise<Timing> {
  child.send(task);
  const [timing] = (await once(child, 'message')) as [Timing];
  return timing;
}

function medianTiming(timings: readonly Timing[]): Timing {
  return {
    medianMs: median(timings.map(({ medianMs }) => medianMs)),
    cpuMs: median(timings.map(({ cpuMs }) => cpuMs)),
    bytes: timings[0]?.bytes ?? NaN,
  };
}
