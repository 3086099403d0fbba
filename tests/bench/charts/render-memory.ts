/** Paints like a render process, and prints its memory usage. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { chartFrom } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import { paint, warmUp } from '../../../server/src/viz/paint/render.ts';
import { cases, requestOf } from '../../gallery/cases.ts';

warmUp();
const scenes = Object.values(cases)
  .map((request) => layout(chartFrom(requestOf(request))))
  .filter(({ width, height }) => width * height < 4_000_000);
console.log('Resident memory of one render process:');
for (let i = 1; i <= 10_000; i++) {
  const scene = scenes[i % scenes.length];
  if (scene !== undefined) paint({ format: i % 4 === 0 ? 'pdf' : 'png', scene });
  await setImmediate();
  if ([100, 1000, 2000, 5000, 10_000].includes(i))
    console.log(`  after ${i} pictures: ${megabytes('VmRSS')} MB`);
}
for (const name of ['4096 × 4096, bar', '4096 × 4096, pie']) {
  paint({ format: 'png', scene: layout(chartFrom(requestOf(cases[name] ?? {}))) });
}
console.log(`  peak, with pictures of 4096 by 4096 pixels: ${megabytes('VmHWM')} MB`);

function megabytes(field: string): string {
  const status = readFileSync('/proc/self/status', 'utf8');
  return (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0);
}
