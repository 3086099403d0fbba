import type { FullRequest } from './request.ts';

export type ChartKind = FullRequest['chart_type'];

/** The fields of a chart request that only some kinds of chart have. */
export const chartOptions = [
  'series',
  'stacked',
  'area',
  'donut',
  'orientation',
  'x_type',
  'y_min',
  'y_max',
  'y_scale',
  'lines',
  'negative_color',
  'axes',
  'time_zone',
  'values',
] as const;
type ChartOption = (typeof chartOptions)[number];

interface KindOfChart {
  /** The options of the kind. The name of another option instead of true means "only together with that option". */
  readonly options: Readonly<Partial<Record<ChartOption, true | ChartOption>>>;
  /** True if values are drawn as bars. */
  readonly hasBars: boolean;
  /** True if series are lines, whose names may stand at their ends. */
  readonly hasLines: boolean;
  /** True if a long chart need not show every label, because its points are in order. */
  readonly isOrdered: boolean;
  /** True if values are shares of a sum. They must not be negative, and one must be above zero. */
  readonly showsShares: boolean;
  /**
   * The marks whose length shows a value, so that they must start at zero. A line has areas only with the option
   * `area`.
   */
  readonly fromZero: 'bars' | 'areas' | 'none';
}

const axes = {
  y_min: true,
  y_max: true,
  y_scale: true,
  lines: true,
  axes: true,
  x_type: true,
  time_zone: true,
} as const;

/** The kinds of chart, for layout, errors, descriptions, tools and the built-in runtime. */
export const chartKinds: Readonly<Record<ChartKind, KindOfChart>> = {
  bar: {
    options: { series: true, stacked: true, orientation: true, negative_color: true, ...axes },
    hasBars: true,
    hasLines: false,
    isOrdered: false,
    showsShares: false,
    fromZero: 'bars',
  },
  line: {
    options: { series: true, stacked: 'area', area: true, values: true, ...axes },
    hasBars: false,
    hasLines: true,
    isOrdered: true,
    showsShares: false,
    fromZero: 'areas',
  },
  pie: {
    options: { donut: true },
    hasBars: false,
    hasLines: false,
    isOrdered: false,
    showsShares: true,
    fromZero: 'none',
  },
};

function isChartKind(text: string): text is ChartKind {
  return Object.hasOwn(chartKinds, text);
}

export const chartKindNames: readonly ChartKind[] = Object.keys(chartKinds).filter(isChartKind);

/** The charts that have an option, as in "bar charts and line charts with area". */
export function chartsWith(option: ChartOption): string {
  const charts = chartKindNames.flatMap((kind) => {
    const condition = chartKinds[kind].options[option];
    if (condition === undefined) return [];
    return condition === true ? [`${kind} charts`] : [`${kind} charts with ${condition}`];
  });
  return new Intl.ListFormat('en-GB').format(charts);
}
