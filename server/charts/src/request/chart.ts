import { extent, max } from 'd3-array';
import { chartKinds } from './chart-kinds.ts';
import { errorsOf, type Format } from './chart-errors.ts';
import { displayed, isAllPlain } from './chart-text.ts';
import { parseColor, type Color } from '../color.ts';
import { numberFormatsOf, valueFormatsOf, type NumberFormats } from '../text/number-formats.ts';
import { repeatedMax } from '../text/numbers.ts';
import { sizesOf, type Sizes } from '../layout/sizes.ts';
import type { ChartRequest } from './generated/request.ts';
import { InvalidChart } from './invalid-chart.ts';
import { withDefaults, type FullRequest } from './request.ts';
import { alignSeries, numbersIn, picked, stacksOf, type Data } from './series.ts';
import { themeOf, type Theme } from '../theme.ts';
import { inTimeOrder, timesOf, type Times } from './times.ts';

/** A chart to draw: the validated request with its defaults. It has at least one series. */
export interface Chart extends Data, Texts, Pick<FullRequest, 'scale'> {
  readonly kind: FullRequest['chart_type'];
  readonly values: FullRequest['values'];
  readonly sizes: Sizes;
  /** The times in the labels; undefined unless all labels are times. Lines are drawn in the order of these times. */
  readonly times: Times | undefined;
  /** True if the series are stacked. A single series of bars is never stacked. */
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
  /** The canonical BCP 47 tag of the chart's language. */
  readonly locale: string;
  /** True if the language is written from right to left, so that headings are at the right. */
  readonly isRightToLeft: boolean;
  readonly numbers: NumberFormats;
  /** The formats of values that are each written with their unit. */
  readonly numbersInWords: NumberFormats;
  /** The unit that stands in the headings instead of after each number; empty if there is none. */
  readonly unitOnce: string;
  readonly valueAxis: Readonly<{ min: number | undefined; max: number | undefined; isLog: boolean }>;
  /** The colour of bars below zero, if the request has one. */
  readonly negativeColor: Color | undefined;
  /** The reference lines. A label is empty if the request has none for its line. */
  readonly lines: readonly Point[];
}

/** The texts of a request; empty if it has none. */
type Texts = Readonly<Record<'title' | 'subtitle' | 'source' | 'xTitle' | 'yTitle', string>>;

/** A value with its label. */
export interface Point {
  readonly label: string;
  readonly value: number;
}

const rightToLeft: ReadonlySet<unknown> = new Set(['Arab', 'Hebr', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

/** Converts a request to a chart. Throws InvalidChart for errors that the schema of a request cannot express. */
export function chartFrom(given: ChartRequest, format: Format = 'svg'): Chart {
  const request = withDefaults(given);
  const isPlain = isAllPlain(request);
  const errors = errorsOf(request, format, isPlain);
  if (errors.length > 0) throw new InvalidChart(errors);
  const data = dataOf(request, isPlain);
  const background = parseColor(request.background);
  const language = new Intl.Locale(request.locale);
  const locale = language.toString();
  const sizes = sizesOf(request.width, request.height, locale, request.axes !== 'none');
  const isLog = request.y_scale === 'log';
  // Paper is white, even behind a translucent picture in a dark theme.
  const isOnPaper = format === 'pdf' && background !== undefined && background.alpha < 1;
  return {
    kind: request.chart_type,
    title: displayed(request.title ?? ''),
    subtitle: displayed(request.subtitle ?? ''),
    source: displayed(request.source ?? ''),
    scale: request.scale,
    sizes,
    negativeColor: parseColor(request.negative_color),
    ...byTime(request, data),
    isStacked: request.stacked && (request.area === true || data.series.length > 1),
    isArea: request.area ?? false,
    isDonut: request.donut ?? false,
    isHorizontal: request.orientation === 'horizontal',
    colors: (request.colors ?? []).map(parseColor).filter((color) => color !== undefined),
    xTitle: displayed(request.x_title ?? ''),
    yTitle: displayed(request.y_title ?? ''),
    locale,
    isRightToLeft: rightToLeft.has(language.maximize().script),
    numbersInWords: valueFormatsOf({ ...request, locale }),
    ...unitInHeadings({ ...request, locale }, data, sizes),
    values: request.values,
    lines: (request.lines ?? [])
      .filter(({ value }) => value >= (request.y_min ?? value) && value <= (request.y_max ?? value))
      .map(({ value, label = '' }) => ({ value, label: displayed(label) })),
    valueAxis: { min: request.y_min, max: request.y_max, isLog },
    theme: themeOf(isOnPaper ? 'light' : request.theme, background),
  };
}

/**
 * The unit that stands in the headings, because it is too long to repeat, and the formats of numbers without this unit.
 * The unit may begin with a million or more, as in "Mio. €", if two decimals show the values.
 */
function unitInHeadings(
  request: FullRequest,
  { labels, series }: Data,
  { showsAxes, showsSubtitle }: Sizes,
): Pick<Chart, 'numbers' | 'unitOnce'> {
  const { chart_type: kind, locale, unit = '', stacked } = request;
  const isOnce = chartKinds[kind].options.axes && showsAxes && showsSubtitle;
  const own = isOnce && displayed(unit).length > repeatedMax ? displayed(unit) : '';
  const formats = valueFormatsOf(own === '' ? request : { ...request, unit: '' });
  const isLog = request.y_scale === 'log';
  const alone = { numbers: isLog ? { ...formats, isOwn: true } : formats, unitOnce: own };
  // English powers of ten are single letters.
  if (!isOnce || isLog || locale === 'en') return alone;
  const sums = stacked ? stacksOf({ labels, series }).map((stack) => stack.sum) : [];
  const values = [...sums, ...series.flatMap((each) => numbersIn(each.values))];
  const largest = (max(values, Math.abs) ?? 0) * formats.factor;
  const power = formats.units.find((each) => each.unit >= 1e6 && each.unit <= largest);
  const one = formats.digits(1, 0);
  const text = power === undefined ? '' : formats.signed(power.write(one), false);
  // A currency before the number, as in "CHF 2 Mio.", stays next to it.
  const name = text.startsWith(one) ? text.slice(one.length).trim() : '';
  if (power === undefined || name.length <= repeatedMax) return alone;
  const [low = 0, high = 0] = extent(values);
  const isSmall = (size: number): boolean => size > 0 && size * formats.factor < power.unit / 10;
  if (isSmall(high - low) || values.some((value) => isSmall(Math.abs(value)))) return alone;
  const { signed } = numberFormatsOf(locale);
  const divided = {
    factor: formats.factor / power.unit,
    units: [],
    isCompact: false,
    minorDigits: undefined,
  };
  return { numbers: { ...formats, ...divided, signed }, unitOnce: `${name} ${own}`.trim() };
}

/** The data of a request; one unnamed series if `series` is empty. Shares leave out labels without a value. */
function dataOf({ chart_type: kind, data = [], series = [], labels }: FullRequest, isPlain: boolean): Data {
  const clean = isPlain ? undefined : displayed;
  const aligned = alignSeries(series.length > 0 ? series : [{ name: '', data }], labels, clean);
  const values = aligned.series[0]?.values ?? [];
  if (!chartKinds[kind].hasShares || !values.includes(undefined)) return aligned;
  const present = [...values.keys()].filter((i) => values[i] !== undefined);
  return picked(aligned, present);
}

/** The data and its times, sorted by time. Bands also get places for times that are missing in between. */
function byTime(
  { chart_type: kind, x_type: type, time_zone: timeZone }: FullRequest,
  data: Data,
): Data & Pick<Chart, 'times'> {
  const { options, hasBands } = chartKinds[kind];
  const hasTimes = type !== 'category' && options.x_type !== undefined;
  const found = hasTimes ? timesOf(data.labels, type === 'time', timeZone) : undefined;
  if (found === undefined) return { ...data, times: undefined };
  const { times, indexes } = inTimeOrder(found, hasBands);
  return { ...(indexes === undefined ? data : picked(data, indexes)), times };
}
