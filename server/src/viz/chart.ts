import { chartKinds } from '../chart-kinds.ts';
import { fieldErrors, Problem, validationError, type InvalidField } from '../errors.ts';
import type { Schemas } from '../operation.ts';
import { chartErrors } from './chart-errors.ts';
import { displayed, isAllPlain, unwritableTexts } from './chart-text.ts';
import { parseColor, type Color } from './color.ts';
import { reducedLocale, valueFormatsOf, type NumberFormats } from './layout/number-formats.ts';
import { sizesOf, type Sizes } from './layout/sizes.ts';
import { phrasesOf, type Phrases } from './phrases.ts';
import { alignSeries, picked, type Data } from './series.ts';
import { themeOf, type Theme } from './theme.ts';
import { timeOrder, timesOf, type Times } from './times.ts';

type ChartRequest = Schemas['ChartRequest'];

/** A chart to draw: the validated request with its defaults. It has at least one series. */
export interface Chart extends Data {
  readonly kind: ChartRequest['chart_type'];
  /** Empty if the request has none. */
  readonly title: string;
  /** The line under the title and the line at the bottom; empty if the request has none. */
  readonly subtitle: string;
  readonly source: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly sizes: Sizes;
  /** The times in the labels; undefined unless all labels are times. Lines are drawn in the order of these times. */
  readonly times: Times | undefined;
  /** True if the series are stacked. A single series of bars is not. */
  readonly isStacked: boolean;
  /** True if the space between a line and zero is filled. */
  readonly isArea: boolean;
  /** True if the pie is a ring with the sum of its values in the middle. */
  readonly isDonut: boolean;
  /** True if bars run from left to right, and categories from top to bottom. */
  readonly isHorizontal: boolean;
  /** The colours of the request; empty if it has none. */
  readonly colors: readonly Color[];
  readonly theme: Theme;
  /** The names of the axes; empty if the request has none. */
  readonly xTitle: string;
  readonly yTitle: string;
  /** The BCP 47 tag of the chart's language, without subtags that change nothing. */
  readonly locale: string;
  readonly numbers: NumberFormats;
  /** Texts in the chart's language that do not come from the request. */
  readonly phrases: Phrases;
  readonly values: ChartRequest['values'];
  readonly valueAxis: ValueAxis;
  /** The reference lines. The label is empty if the request has none. */
  readonly lines: readonly Point[];
}

/** What the request says about the value axis. */
interface ValueAxis {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isLog: boolean;
}

/** A value with its label. */
export interface Point {
  readonly label: string;
  readonly value: number;
}

/** Where a picture is shown. Paper is white, even behind a translucent picture in a dark theme. */
type Medium = 'screen' | 'paper';

/** Converts a validated request to a chart. Throws a Problem for errors that the contract's schema cannot express. */
export function chartFrom(request: ChartRequest, medium: Medium = 'screen'): Chart {
  const parsed = parse(request);
  refuseInvalid(request, parsed);
  const { colors, background, data } = parsed;
  const locale = reducedLocale(request.locale);
  const isOnPaper = medium === 'paper' && background !== undefined && background.alpha < 1;
  return {
    kind: request.chart_type,
    title: displayed(request.title ?? ''),
    subtitle: displayed(request.subtitle ?? ''),
    source: displayed(request.source ?? ''),
    width: request.width,
    height: request.height,
    scale: request.scale,
    sizes: sizesOf(request.width, request.height),
    ...inTimeOrder(request, data),
    isStacked: request.stacked && (request.area === true || data.series.length > 1),
    isArea: request.area ?? false,
    isDonut: request.donut ?? false,
    isHorizontal: request.orientation === 'horizontal',
    colors: colors.filter((color) => color !== undefined),
    xTitle: displayed(request.x_title ?? ''),
    yTitle: displayed(request.y_title ?? ''),
    locale,
    numbers: valueFormatsOf({ ...request, locale }),
    values: request.values,
    lines: (request.lines ?? []).map(({ value, label = '' }) => ({ value, label: displayed(label) })),
    valueAxis: { min: request.y_min, max: request.y_max, isLog: request.y_scale === 'log' },
    phrases: phrasesOf(locale),
    theme: themeOf(isOnPaper ? 'light' : request.theme, background),
  };
}

/** All errors for which `chartFrom` refuses a request. */
export function errorsOfRequest(request: ChartRequest): InvalidField[] {
  return [...unwritableTexts(request), ...chartErrors(request, parse(request))];
}

function refuseInvalid(request: ChartRequest, parsed: Parsed): void {
  const unwritable = parsed.isPlain ? [] : unwritableTexts(request);
  const others = chartErrors(request, parsed);
  const [first] = fieldErrors(unwritable);
  if (first !== undefined) {
    const sentence = `The SVG cannot be parsed. ${first.detail} Remove it.`;
    throw new Problem('SVG_PARSE_ERROR', sentence, { errors: fieldErrors([...unwritable, ...others]) });
  }
  if (others.length > 0) throw validationError(others);
}

interface Parsed {
  /** True if all texts are drawn exactly as they were received. */
  readonly isPlain: boolean;
  /** Undefined where a text is not a colour. */
  readonly colors: readonly (Color | undefined)[];
  readonly background: Color | undefined;
  readonly data: Data;
}

function parse(request: ChartRequest): Parsed {
  const isPlain = isAllPlain(request);
  return {
    isPlain,
    colors: request.colors?.map(parseColor) ?? [],
    background: request.background === undefined ? undefined : parseColor(request.background),
    data: dataOf(request, isPlain),
  };
}

/** The data of a request. Without `series`, it is one series without a name. A pie has no places without a value. */
function dataOf({ chart_type: kind, data = [], series = [], labels }: ChartRequest, isPlain: boolean): Data {
  const aligned = alignSeries(
    series.length > 0 ? series : [{ name: '', data }],
    labels,
    isPlain ? undefined : displayed,
  );
  const [one] = aligned.series;
  if (!chartKinds[kind].showsShares || one?.values.includes(undefined) !== true) return aligned;
  return picked(
    aligned,
    [...aligned.labels.keys()].filter((i) => one.values[i] !== undefined),
  );
}

/** The data and its times. The points of a line are sorted by time. */
function inTimeOrder(
  { chart_type: kind, x_type: type }: ChartRequest,
  data: Data,
): Data & Pick<Chart, 'times'> {
  const hasTimes = type !== 'category' && !chartKinds[kind].showsShares;
  const times = hasTimes ? timesOf(data.labels, type === 'time') : undefined;
  const order = times && chartKinds[kind].isOrdered ? timeOrder(times) : undefined;
  if (times === undefined || order === undefined) return { ...data, times };
  return {
    ...picked(data, order),
    times: { ...times, at: Float64Array.from(order, (i) => times.at[i] ?? 0) },
  };
}
