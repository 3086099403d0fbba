/** `npm run bench -- <area> [part]` prints measurements and asserts nothing. */
import { benchCharts } from '../../server/charts/bench/charts.ts';
import { benchHttp } from './http/http.ts';

const areas: Readonly<Record<string, (part?: string) => Promise<void>>> = {
  charts: benchCharts,
  http: benchHttp,
};

const area = areas[process.argv[2] ?? ''];
if (area === undefined) {
  console.error(`Name an area: ${Object.keys(areas).join(', ')}.`);
  process.exitCode = 1;
} else {
  await area(process.argv[3]);
}
