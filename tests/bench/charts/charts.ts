/**
 * `npm run bench -- charts [part]`: charts compared with other libraries. A part such as `PNG` selects the comparisons
 * with that text in the title; `HTTP` and `memory` select the other two parts.
 */
import { compare, comparisons } from './compare.ts';
import { measureHttp } from './http.ts';
import type { Input } from './inputs.ts';
import { measureMemory } from './memory.ts';
import { installPeers } from '../peers.ts';
import { table } from './report.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];

export async function benchCharts(only = ''): Promise<void> {
  installPeers();
  console.log(
    'Median time of one picture, 800 by 600 pixels, in alternating rounds. * tuned beyond its documentation.\n' +
      'apexcharts stays at 7.9.1: its newest release needs a package that does not install.\n',
  );
  for (const comparison of comparisons.filter(({ title }) => title.includes(only))) {
    for (const kind of kinds) console.log(table(comparison, kind, await compare(comparison, kind)));
  }
  if ('HTTP'.includes(only)) console.log(await measureHttp());
  if ('memory'.includes(only)) console.log(await measureMemory());
}
