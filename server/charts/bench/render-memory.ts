/** Paints pictures as a render process does, and prints the memory usage. */
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { renderPdf, renderPng } from '../src/index.ts';
import { cases, requestOf } from '../gallery/cases.ts';

const requests = Object.values(cases)
  .map(requestOf)
  .filter(({ width, height }) => width * height < 4_000_000);
console.log('Resident memory of one render process:');
for (let i = 1; i <= 10_000; i++) {
  const request = requests[i % requests.length];
  if (request !== undefined) (i % 4 === 0 ? renderPdf : renderPng)(request);
  await setImmediate();
  if ([100, 1000, 2000, 5000, 10_000].includes(i))
    console.log(`  after ${i} pictures: ${megabytes('VmRSS')} MB`);
}
for (const name of ['4096 × 4096, bar', '4096 × 4096, pie']) {
  renderPng(requestOf(cases[name] ?? {}));
}
console.log(`  peak, with pictures of 4096 by 4096 pixels: ${megabytes('VmHWM')} MB`);

function megabytes(field: string): string {
  const status = readFileSync('/proc/self/status', 'utf8');
  return (Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0);
}
