import type { Input } from './inputs.ts';

export type Format = 'svg' | 'png' | 'pdf';
type Paint = (input: Input) => string | Buffer | Promise<string | Buffer>;
export type Contender = Readonly<Partial<Record<Format, Paint>>>;

interface Entry {
  readonly name: string;
  readonly role: 'ours' | 'peer';
  readonly formats: readonly Format[];
  readonly load: () => Promise<Contender>;
}

/** Peers are used as documented. Each contender runs in its own process, because their native libraries conflict. */
export const contenders: readonly Entry[] = [
  {
    name: 'worktable',
    role: 'ours',
    formats: ['svg', 'png', 'pdf'],
    load: async () => (await import('./ours.ts')).worktable,
  },
  peer('ECharts (PNG by sharp)', ['svg', 'png'], 'echarts', 'echartsSharp'),
  peer('Vega-Lite', ['svg', 'png', 'pdf'], 'vega', 'vegaLite'),
  peer('d3 on jsdom', ['svg'], 'd3', 'd3Jsdom'),
  peer('apexcharts/ssr', ['svg'], 'apexcharts', 'apexcharts'),
];

function peer(name: string, formats: readonly Format[], file: string, key: string): Entry {
  const load = async (): Promise<Contender> => {
    // The peers are untyped JavaScript, and are installed only for benchmarks.
    const contents = (await import(new URL(`../peers/${file}.js`, import.meta.url).href)) as Record<
      string,
      Contender
    >;
    return contents[key] ?? {};
  };
  return { name, role: 'peer', formats, load };
}
