/** The process of one contender: for each task it draws repeatedly and replies with the median time of one picture. */
import { median } from '../median.ts';
import { contenders, type Format } from './contenders.ts';
import { inCyrillic, inputs, type Input } from './inputs.ts';

export interface Task {
  readonly format: Format;
  readonly kind: Input['kind'];
  readonly isCyrillic: boolean;
  /** The time to spend drawing. */
  readonly ms: number;
}

export interface Timing {
  readonly medianMs: number;
  /** Processor time of all threads; unlike elapsed time, it hardly depends on other load. */
  readonly cpuMs: number;
  readonly bytes: number;
}

const contender = await contenders.find(({ name }) => name === process.argv[2])?.load();
process.on('message', (task: Task) => void time(task).then((timing) => process.send?.(timing)));
process.on('disconnect', () => {
  process.exit();
});
process.send?.('ready');

async function time({ format, kind, isCyrillic, ms }: Task): Promise<Timing> {
  const paint = contender?.[format];
  if (paint === undefined) throw new Error(`${String(process.argv[2])} does not draw ${format}.`);
  const input = isCyrillic ? inCyrillic(inputs[kind]) : inputs[kind];
  const times: number[] = [];
  const before = process.cpuUsage();
  let bytes = 0;
  for (const end = performance.now() + ms; performance.now() < end || times.length < 3;) {
    const start = performance.now();
    bytes = (await paint(input)).length;
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { medianMs: median(times), cpuMs: (user + system) / 1000 / times.length, bytes };
}
