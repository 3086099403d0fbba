import type { Schemas } from '../../../server/src/operation.ts';
import { chartFrom } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import { requestOf } from '../../gallery/cases.ts';
import { numbered, wave } from '../../gallery/series.ts';
import { median } from '../median.ts';
import type { Format } from './contenders.ts';
import { paintScene } from './ours.ts';

type Request = Parameters<typeof requestOf>[0];

const rounds = 5;
const warmUpMs = 500;
const roundMs = 300;
const timesMax = 3;

const one: Request = { title: 'One series', data: numbered(800, wave) };
const eight: Request = { title: 'Eight series', series: Array.from({ length: 8 }, (_, s) => seriesAt(s)) };
const kinds: readonly (readonly [name: string, Request])[] = [
  ['bars', { chart_type: 'bar' }],
  ['stacked bars', { chart_type: 'bar', stacked: true }],
  ['lines', { chart_type: 'line' }],
];

/** Eight series of 100 points compared with one of 800, in alternating rounds of one process. */
export function measureSeries(): string {
  const lines = [`Eight series of 100 points and one of 800, median time of one picture (${rounds} rounds):`];
  for (const format of ['svg', 'png', 'pdf'] as const) {
    for (const [name, options] of kinds) lines.push(resultLine(name, format, options));
  }
  return [...lines, ''].join('\n');
}

function resultLine(name: string, format: Format, options: Request): string {
  const requests = [requestOf({ ...one, ...options, stacked: false }), requestOf({ ...eight, ...options })];
  for (const request of requests) timePictures(format, request, warmUpMs);
  const timings = Array.from({ length: rounds }, () =>
    requests.map((request) => timePictures(format, request, roundMs)),
  );
  const [ofOne = NaN, ofEight = NaN] = requests.map((_, i) =>
    median(timings.map((round) => round[i] ?? NaN)),
  );
  const times = ofEight / ofOne;
  return (
    `  ${`${format.toUpperCase()}, ${name}`.padEnd(18)} eight ${ofEight.toFixed(3)} ms, one ${ofOne.toFixed(3)} ms: ` +
    `${times.toFixed(1)} times (at most ${timesMax}: ${times <= timesMax ? 'met' : 'MISSED'})`
  );
}

/** The median time from the request to the bytes. */
function timePictures(format: Format, request: Schemas['ChartRequest'], ms: number): number {
  const times: number[] = [];
  for (const end = performance.now() + ms; performance.now() < end || times.length < 3;) {
    const start = performance.now();
    paintScene[format](layout(chartFrom(request)));
    times.push(performance.now() - start);
  }
  return median(times);
}

function seriesAt(index: number): Schemas['ChartSeries'] {
  return { name: `Series ${index + 1}`, data: numbered(100, (i) => wave(i + index * 90) + index * 12) };
}
