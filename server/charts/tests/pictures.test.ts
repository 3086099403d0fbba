import { expect, it } from 'vitest';
import { paintSvg } from '../src/paint/svg.ts';
import { cases, casesOfKinds } from '../gallery/cases.ts';
import { sceneOf } from './layout/shapes.ts';

const kept = [
  ...Object.keys(casesOfKinds),
  'bar, long labels',
  'bar, forty',
  'bar, negative',
  'bar, markup',
  'bar, colours',
  '320 × 200, bar',
  'Chinese',
  'no data',
  'line, negative',
  'line, one point',
  'line, 1,000',
  'pie, sources',
  'pie, one slice',
  'pie, small slices',
  '16 × 16, pie',
  '300 × 900, pie',
];

// After an intended change, look at the gallery, run `vitest run pictures -u`, and review the diff.
it.each(kept)('the picture of %s matches the stored SVG', async (name) => {
  const svg = paintSvg(sceneOf(cases[name] ?? {})).replaceAll('><', '>\n<');

  await expect(`${svg}\n`).toMatchFileSnapshot(`pictures/${fileOf(name)}.svg`);
});

function fileOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
