/** `npm run bench -- <area>`. Benchmarks print what they measured; they assert nothing. */
import { benchCharts } from './charts/charts.ts';
import { benchCounters } from './counters/counters.ts';

const areas: Readonly<Record<string, (only?: string) => Promise<void>>> = {
  charts: benchCharts,
  counters: benchCounters,
};

const area = areas[process.argv[2] ?? ''];
if (area === undefined) {
  console.error(`Say which area: ${Object.keys(areas).join(', ')}.`);
  process.exitCode = 1;
} else {
  await area(process.argv[3]);
}
