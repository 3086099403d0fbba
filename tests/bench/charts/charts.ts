/**
 * `npm run bench -- charts`: charts beside the libraries that people use for them. With a word more, such as `PNG`,
 * only the comparisons with it in their title; `HTTP` and `memory` are words for the other two parts.
 */
import { compare, disciplines } from './compare.ts';
import { measureHttp } from './http.ts';
import type { Input } from './inputs.ts';
import { measureMemory } from './memory.ts';
import { installPeers } from '../peers.ts';
import { table } from './report.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];

export async function benchCharts(only = ''): Promise<void> {
  installPeers();
  console.log(
    'Median time of one picture, 800 by 600 pixels; contenders take turns. * tuned beyond its documentation.\n' +
      'apexcharts stays at 7.9.1: its newest release needs a package that does not install.\n',
  );
  for (const discipline of disciplines.filter(({ title }) => title.includes(only))) {
    for (const kind of kinds) console.log(table(discipline, kind, await compare(discipline, kind)));
  }
  if ('HTTP'.includes(only)) console.log(await measureHttp());
  if ('memory'.includes(only)) console.log(await measureMemory());
}
