import type { Input } from './inputs.ts';

export type Format = 'svg' | 'png' | 'pdf';
type Paint = (input: Input) => string | Buffer | Promise<string | Buffer>;
export type Contender = Readonly<Partial<Record<Format, Paint>>>;

interface Entry {
  readonly name: string;
  /** A stock peer is used as documented; a tuned one is optimized by hand. */
  readonly role: 'ours' | 'stock' | 'tuned';
  readonly formats: readonly Format[];
  readonly load: () => Promise<Contender>;
}

/** Each contender runs in its own process, because their native libraries conflict. */
export const contenders: readonly Entry[] = [
  {
    name: 'worktable',
    role: 'ours',
    formats: ['svg', 'png', 'pdf'],
    load: async () => (await import('./ours.ts')).worktable,
  },
  peer('chartjs-node-canvas', 'stock', ['png', 'pdf'], 'chartjs', 'chartjsNodeCanvas'),
  peer('chart.js on @napi-rs/canvas', 'stock', ['png'], 'chartjs', 'chartjsNapi'),
  peer('ECharts (PNG by sharp)', 'stock', ['svg', 'png'], 'echarts', 'echartsSharp'),
  peer('ECharts with resvg', 'stock', ['png'], 'echarts', 'echartsResvg'),
  peer('Vega-Lite', 'stock', ['svg', 'png', 'pdf'], 'vega', 'vegaLite'),
  peer('d3 on jsdom', 'stock', ['svg'], 'd3', 'd3Jsdom'),
  peer('apexcharts/ssr', 'stock', ['svg'], 'apexcharts', 'apexcharts'),
  peer('Chart.js on node-canvas, tuned', 'tuned', ['png'], 'chartjs', 'chartjsTuned'),
  peer('ECharts, tuned', 'tuned', ['svg'], 'echarts', 'echartsTuned'),
  peer('Vega-Lite, tuned', 'tuned', ['svg'], 'vega', 'vegaTuned'),
];

function peer(
  name: string,
  role: Entry['role'],
  formats: readonly Format[],
  file: string,
  key: string,
): Entry {
  const load = async (): Promise<Contender> => {
    // The peers are untyped JavaScript, and are installed only for benchmarks.
    const contents = (await import(new URL(`../peers/${file}.js`, import.meta.url).href)) as Record<
      string,
      Contender
    >;
    return contents[key] ?? {};
  };
  return { name, role, formats, load };
}
