import type { Input } from './inputs.ts';

export type Format = 'svg' | 'png' | 'pdf';
type Paint = (input: Input) => string | Buffer | Promise<string | Buffer>;
export type Contender = Readonly<Partial<Record<Format, Paint>>>;

interface Entry {
  readonly name: string;
  /** A stock peer is used as its documentation says; a tuned one as its experts would. */
  readonly role: 'ours' | 'stock' | 'tuned';
  readonly formats: readonly Format[];
  readonly load: () => Promise<Contender>;
}

/** Whoever draws. Each runs in a process of its own, because their native libraries do not bear each other. */
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
    // The peers are plain JavaScript that is only there once it is installed, so no compiler has seen it.
    const contents = (await import(new URL(`../peers/${file}.js`, import.meta.url).href)) as Record<
      string,
      Contender
    >;
    return contents[key] ?? {};
  };
  return { name, role, formats, load };
}
