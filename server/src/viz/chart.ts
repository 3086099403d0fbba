import { chartKinds } from '../chart-kinds.ts';
import { fieldErrors, Problem, validationError, type InvalidField } from '../errors.ts';
import type { Schemas } from '../operation.ts';
import { chartErrors } from './chart-errors.ts';
import { displayed, isAllPlain, unwritableTexts } from './chart-text.ts';
import { parseColor, type Color } from './color.ts';
import type { NumberFormats } from './layout/number-formats.ts';
import { reducedLocale } from './layout/intl-formats.ts';
import { valueFormatsOf } from './layout/value-formats.ts';
import { phrasesOf, type Phrases } from './phrases.ts';
import { alignSeries, stackOf, type Series } from './series.ts';
import { themeOf, type Theme } from './theme.ts';
import { timeOrder, timesOf, type Times } from './times.ts';

type ChartRequest = Schemas['ChartRequest'];

/** A chart to draw: the validated request with its defaults applied. */
export interface Chart {
  readonly kind: ChartRequest['chart_type'];
  /** Empty if the request has none. */
  readonly title: string;
  /** The line under the title and the line at the bottom; empty if the request has none. */
  readonly subtitle: string;
  readonly source: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** The categories with the sums of their values. */
  readonly points: readonly Point[];
  /** At least one. The data of a request without series is one without a name. */
  readonly series: readonly Series[];
  /** The times that the labels of all points name; undefined if they are other texts. The points of lines are in their order. */
  readonly times: Times | undefined;
  /** A stack of one bar is a plain bar. */
  readonly isStacked: boolean;
  /** Lines are filled to zero. */
  readonly isArea: boolean;
  /** A pie is a ring with the sum of its values in the middle. */
  readonly isDonut: boolean;
  /** Bars from left to right, with the categories from top to bottom. */
  readonly isHorizontal: boolean;
  /** The colours of the request; empty if it has none. */
  readonly colors: readonly Color[];
  readonly theme: Theme;
  /** The names of the axes; empty if the request has none. */
  readonly xTitle: string;
  readonly yTitle: string;
  /** The BCP 47 tag of its language, without subtags that change nothing. */
  readonly locale: string;
  readonly numbers: NumberFormats;
  /** The texts that the request does not have, in its language. */
  readonly phrases: Phrases;
  readonly values: ChartRequest['values'];
  readonly valueAxis: ValueAxis;
  /** The reference lines of the request, their labels empty where it has none. */
  readonly lines: readonly Point[];
}

/** The request's options of the value axis. */
interface ValueAxis {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isLog: boolean;
}

export interface Point {
  readonly label: string;
  readonly value: number;
}

/** The medium that shows a picture. Behind a translucent picture, paper is white in every theme. */
type Medium = 'screen' | 'paper';

/** Reads a validated request. Throws a Problem for errors that the contract's schema cannot express. */
export function chartFrom(request: ChartRequest, medium: Medium = 'screen'): Chart {
  const parsed = parse(request);
  refuseInvalid(request, parsed);
  const { colors, background, points, series } = parsed;
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
    ...inTimeOrder(request, { points, series }),
    isStacked: request.stacked && (request.area === true || series.length > 1),
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

/** Everything that `chartFrom` refuses. */
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
  /** True if the texts are drawn as they were received. */
  readonly isPlain: boolean;
  /** Undefined for a text that is not a colour. */
  readonly colors: readonly (Color | undefined)[];
  readonly background: Color | undefined;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
}

function parse(request: ChartRequest): Parsed {
  const isPlain = isAllPlain(request);
  return {
    isPlain,
    colors: request.colors?.map(parseColor) ?? [],
    background: request.background === undefined ? undefined : parseColor(request.background),
    ...dataOf(isPlain ? request : withDisplayedTexts(request)),
  };
}

function withDisplayedTexts(request: ChartRequest): ChartRequest {
  const { data = [], series = [], labels = [] } = request;
  const clean = (points: typeof data): typeof data =>
    points.map(({ label, value }) => ({ label: displayed(label), value }));
  return {
    ...request,
    data: clean(data),
    series: series.map(({ name, data }) => ({ name: displayed(name), data: clean(data) })),
    labels: labels.map(displayed),
  };
}

/** The categories and the series. Shares have no empty places. */
function dataOf({ chart_type: kind, data = [], series = [], labels: order = [] }: ChartRequest): Data {
  // Most requests need no alignment.
  if (series.length === 0 && order.length === 0 && data.every(hasValue)) return ofOneSeries(data);
  const aligned = alignSeries(series.length > 0 ? series : [{ name: '', data }], order);
  const points = aligned.labels.map((label, i) => {
    const { up, down } = stackOf(aligned.series, i);
    return { label, value: up + down };
  });
  if (!chartKinds[kind].showsShares) return { points, series: aligned.series };
  return ofOneSeries(points.filter((_, i) => aligned.series[0]?.values[i] !== undefined));
}

function ofOneSeries(points: readonly Point[]): Data {
  const values: number[] = [];
  for (const { value } of points) values.push(value);
  return { points, series: [{ name: '', values }] };
}

function hasValue(point: { readonly label: string; readonly value: number | null }): point is Point {
  return point.value !== null;
}

type Data = Pick<Chart, 'points' | 'series'>;

/** The data with its times. A line runs from the first to the last of them. */
function inTimeOrder(
  { chart_type: kind, x_type: type }: ChartRequest,
  { points, series }: Data,
): Data & Pick<Chart, 'times'> {
  const hasTimes = type !== 'category' && !chartKinds[kind].showsShares;
  const times = hasTimes ? timesOf(points, type === 'time') : undefined;
  const order = times && chartKinds[kind].isOrdered ? timeOrder(times) : undefined;
  if (times === undefined || order === undefined) return { points, series, times };
  const sorted = <Each>(list: readonly Each[]): Each[] =>
    order.map((index) => list[index]).filter((each) => each !== undefined);
  return {
    points: sorted(points),
    series: series.map(({ name, values, gaps }) => ({
      name,
      values: order.map((index) => values[index]),
      gaps: gaps && new Set(order.flatMap((index, place) => (gaps.has(index) ? [place] : []))),
    })),
    times: { ...times, at: Float64Array.from(order, (index) => times.at[index] ?? 0) },
  };
}
