import type { FullRequest } from './request.ts';

export type ChartKind = FullRequest['chart_type'];

type Field = keyof FullRequest;

interface KindOfChart {
  /** The options that not every kind has. The name of another option instead of true means "only together with it". */
  readonly options: Readonly<Partial<Record<Field, true | Field>>>;
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

/** The kinds of chart, for layout, errors and the built-in runtime. */
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
const chartOptions = new Set(chartKindNames.flatMap((kind) => keysOf(chartKinds[kind].options)));

function keysOf<Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): readonly Key[] {
  return Object.keys(record).filter((key): key is Key => Object.hasOwn(record, key));
}

/** Values of these options that every kind of chart allows. Of `values`, that is all but `last`. */
const common = new Set<unknown>([undefined, false, 'vertical', 'auto', 'linear', 'always', 'never']);

/** The options of a request that its chart does not have, or has only with an option that the request lacks. */
export function optionsOfOthers(request: FullRequest): readonly Field[] {
  const used = [...chartOptions].filter((option) => {
    const value = request[option];
    return Array.isArray(value) ? value.length > 0 : !common.has(value);
  });
  const { options } = chartKinds[request.chart_type];
  return used.filter((option) => options[option] !== true && !used.some((each) => each === options[option]));
}

/** The charts that have an option, as in "bar charts and line charts with area". */
export function chartsWith(option: Field): string {
  const charts = chartKindNames.flatMap((kind) => {
    const condition = chartKinds[kind].options[option];
    if (condition === undefined) return [];
    return condition === true ? [`${kind} charts`] : [`${kind} charts with ${condition}`];
  });
  return new Intl.ListFormat('en-GB').format(charts);
}
