/**
 * `npm run bench -- charts [part]`: charts compared with other libraries. A part such as `PNG` selects the comparisons
 * with that text in the title; `series`, `HTTP` and `memory` select the other parts.
 */
import { compare, comparisons } from './compare.ts';
import { measureHttp } from './http.ts';
import type { Input } from './inputs.ts';
import { measureMemory } from './memory.ts';
import { installPeers } from '../peers.ts';
import { table } from './report.ts';
import { measureSeries } from './series.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];
const comparisonHeading =
  'Median time of one picture, 800 by 600 pixels, in alternating rounds.\n' +
  'apexcharts stays at 7.9.1: its newest release needs a package that does not install.\n';

export async function benchCharts(only = ''): Promise<void> {
  const wanted = comparisons.filter(({ title }) => title.includes(only));
  if (wanted.length > 0 || 'HTTP'.includes(only)) installPeers();
  if (wanted.length > 0) console.log(comparisonHeading);
  for (const comparison of wanted) {
    for (const kind of kinds) console.log(table(comparison, kind, await compare(comparison, kind)));
  }
  if ('series'.includes(only)) console.log(measureSeries());
  if ('HTTP'.includes(only)) console.log(await measureHttp());
  if ('memory'.includes(only)) console.log(await measureMemory());
}
