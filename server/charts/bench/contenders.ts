import type { ChartRequest } from '../src/index.ts';
import type { Input } from './inputs.ts';

export const formats = ['svg', 'png', 'pdf'] as const;
export type Format = (typeof formats)[number];
type Paint = (input: Input) => string | Buffer | Promise<string | Buffer>;
type Contender = Readonly<Partial<Record<Format, Paint>>>;

interface Entry {
  readonly name: string;
  readonly formats: readonly Format[];
  readonly load: () => Promise<Contender>;
}

/** The first is ours. Peers are used as their documentation says. */
export const contenders: readonly Entry[] = [
  {
    name: 'worktable',
    formats,
    load: async (): Promise<Contender> => {
      const { renderPdf, renderPng, renderSvg } = await import('../src/index.ts');
      return {
        svg: (input) => renderSvg(requestOf(input)),
        png: (input) => renderPng(requestOf(input)).bytes,
        pdf: (input) => renderPdf(requestOf(input)).bytes,
      };
    },
  },
  peer('ECharts (PNG by sharp)', ['svg', 'png'], 'echarts'),
  peer('Vega-Lite', ['svg', 'png', 'pdf'], 'vega'),
  peer('Chart.js', ['png'], 'chartjs'),
  peer('d3 on linkedom', ['svg'], 'd3'),
];

function peer(name: string, formats: readonly Format[], file: string): Entry {
  // Peers are untyped JavaScript, and are installed only for benchmarks.
  const load = async (): Promise<Contender> =>
    (
      (await import(new URL(`../../../tests/bench/peers/${file}.js`, import.meta.url).href)) as {
        contender: Contender;
      }
    ).contender;
  return { name, formats, load };
}

function requestOf({ kind, title, labels, values }: Input): ChartRequest {
  return { chart_type: kind, title, data: labels.map((label, i) => ({ label, value: values[i] ?? 0 })) };
}
