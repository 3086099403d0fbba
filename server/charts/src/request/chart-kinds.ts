import type { FullRequest } from './request.ts';

export type ChartKind = FullRequest['chart_type'];

/** The options that only some kinds of chart have, and whether a request uses each of them. */
const isUsed = {
  series: ({ series = [] }) => series.length > 0,
  stacked: ({ stacked }) => stacked,
  area: ({ area = false }) => area,
  donut: ({ donut = false }) => donut,
  orientation: ({ orientation }) => orientation === 'horizontal',
  x_type: (request) => request.x_type !== 'auto',
  y_min: (request) => request.y_min !== undefined,
  y_max: (request) => request.y_max !== undefined,
  y_scale: (request) => request.y_scale === 'log',
  lines: ({ lines = [] }) => lines.length > 0,
  negative_color: (request) => request.negative_color !== undefined,
  axes: ({ axes }) => axes === 'none',
  time_zone: (request) => request.time_zone !== undefined,
  values: ({ values }) => values === 'last',
} as const satisfies Partial<Record<keyof FullRequest, (request: FullRequest) => boolean>>;
type ChartOption = keyof typeof isUsed;

interface KindOfChart {
  /** The options of the kind. The name of another option instead of true means "only together with that option". */
  readonly options: Readonly<Partial<Record<ChartOption, true | ChartOption>>>;
  /** True if values are shares of a sum. Shares are never negative, and a label without a value is left out. */
  readonly hasShares: boolean;
  /** True if each label has a band of the category axis, and bars start at zero; false if it has a point there. */
  readonly hasBands: boolean;
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
    hasShares: false,
    hasBands: true,
  },
  line: {
    options: { series: true, stacked: 'area', area: true, values: true, ...axes },
    hasShares: false,
    hasBands: false,
  },
  pie: {
    options: { donut: true },
    hasShares: true,
    hasBands: false,
  },
};

export const chartKindNames = keysOf(chartKinds);
const chartOptions = keysOf(isUsed);

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record).filter((key): key is Key => Object.hasOwn(record, key));
}

/** The options that a request uses. */
export function optionsUsedBy(request: FullRequest): readonly ChartOption[] {
  return chartOptions.filter((option) => isUsed[option](request));
}

/** The charts that have an option, as in "bar charts and line charts with area". */
export function chartsWith(option: ChartOption): string {
  const charts = chartKindNames.flatMap((kind) => {
    const condition = chartKinds[kind].options[option];
    if (condition === undefined) return [];
    return condition === true ? [`${kind} charts`] : [`${kind} charts with ${condition}`];
  });
  return new Intl.ListFormat('en-GB').format(charts);
}
