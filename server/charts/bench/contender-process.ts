/** The process of a contender. For each message, it draws repeatedly and replies with the median time of a picture. */
import { median } from '../../../tests/bench/rounds.ts';
import { contenders, type Format } from './contenders.ts';
import { inCyrillic, inputs, type Kind } from './inputs.ts';

export interface Drawing {
  readonly format: Format;
  readonly kind: Kind;
  /** The time to spend drawing. */
  readonly ms: number;
}

export interface Timing {
  readonly medianMs: number;
  readonly bytes: number;
}

const contender = await contenders.find(({ name }) => name === process.argv[2])?.load();
process.on('message', (drawing: Drawing) => void time(drawing).then((timing) => process.send?.(timing)));
process.on('disconnect', () => {
  process.exit();
});
process.send?.('ready');

async function time({ format, kind, ms }: Drawing): Promise<Timing> {
  const paint = contender?.[format];
  if (paint === undefined) throw new Error(`${String(process.argv[2])} does not draw ${format}.`);
  const latin = { kind, ...inputs[kind] };
  // Peers embed fonts in a PDF, and ours does so for Cyrillic text.
  const input = format === 'pdf' ? inCyrillic(latin) : latin;
  const times: number[] = [];
  let bytes = 0;
  for (const end = performance.now() + ms; performance.now() < end || times.length < 3;) {
    const start = performance.now();
    bytes = (await paint(input)).length;
    times.push(performance.now() - start);
  }
  return { medianMs: median(times), bytes };
}
