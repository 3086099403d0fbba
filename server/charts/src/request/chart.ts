import { extent, max } from 'd3-array';
import { chartKinds } from './chart-kinds.ts';
import { chartErrors, InvalidChart, type Format } from './chart-errors.ts';
import { displayed } from './chart-text.ts';
import { over, parseColor, type Color } from '../color.ts';
import { numberFormatsOf, valueFormatsOf, type NumberFormats } from '../text/number-formats.ts';
import { repeatedMax } from '../text/numbers.ts';
import { sizesOf, type Sizes } from '../layout/sizes.ts';
import type { ChartRequest } from './generated/request.ts';
import { withDefaults, type FullRequest } from './request.ts';
import { alignSeries, numbersIn, picked, stacksOf, type Data } from './series.ts';
import { themeOf, type Theme } from '../theme.ts';
import { orderOf, timesOf, withMissingTimes, type Times } from './times.ts';

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
  /** The colours of the request, blended with the paper if they are translucent; empty if it has none. */
  readonly colors: readonly Color[];
  readonly theme: Theme;
  /** The canonical BCP 47 tag of the chart's language. */
  readonly locale: string;
  /** True if the language is written from right to left, so that headings are at the right. */
  readonly isRightToLeft: boolean;
  readonly numbers: NumberFormats;
  /** Like `numbers`, but with the whole unit of the request after each number, for the description. */
  readonly numbersInWords: NumberFormats;
  /** The unit that stands once, under the title, instead of after each number; empty if there is none. */
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
  const full = withDefaults(given);
  const errors = chartErrors(full, format);
  if (errors.length > 0) throw new InvalidChart(errors);
  const language = full.locale === 'en' ? undefined : new Intl.Locale(full.locale);
  const locale = language?.toString() ?? 'en';
  const request = { ...full, locale };
  const data = dataOf(request);
  const background = parseColor(request.background);
  const sizes = sizesOf(request.width, request.height, locale, request.axes !== 'none');
  const isLog = request.y_scale === 'log';
  // Paper is white, even behind a translucent picture in a dark theme.
  const isOnPaper = format === 'pdf' && background !== undefined && background.alpha < 1;
  const theme = themeOf(isOnPaper ? 'light' : request.theme, background);
  const colorOf = (css?: string): Color | undefined => {
    const color = parseColor(css);
    return color && over(color, theme.paper);
  };
  return {
    kind: request.chart_type,
    title: displayed(request.title ?? ''),
    subtitle: displayed(request.subtitle ?? ''),
    source: displayed(request.source ?? ''),
    scale: request.scale,
    sizes,
    negativeColor: colorOf(request.negative_color),
    ...byTime(request, data),
    isStacked: request.stacked && (request.area === true || data.series.length > 1),
    isArea: request.area ?? false,
    isDonut: request.donut ?? false,
    isHorizontal: request.orientation === 'horizontal',
    colors: (request.colors ?? []).map(colorOf).filter((color) => color !== undefined),
    xTitle: displayed(request.x_title ?? ''),
    yTitle: displayed(request.y_title ?? ''),
    locale,
    isRightToLeft: rightToLeft.has(language?.maximize().script),
    numbersInWords: valueFormatsOf(request),
    ...unitUnderTitle(request, data, sizes),
    values: request.values,
    lines: (request.lines ?? [])
      .filter(({ value }) => value >= (request.y_min ?? value) && value <= (request.y_max ?? value))
      .map(({ value, label = '' }) => ({ value, label: displayed(label) })),
    valueAxis: { min: request.y_min, max: request.y_max, isLog },
    theme,
  };
}

/**
 * The unit under the title, if it is too long to repeat, and the formats of numbers without it. A long name of a
 * million or more becomes part of it, as in "Mio. €", if two decimals show the values and their range.
 */
function unitUnderTitle(
  request: FullRequest,
  data: Data,
  { showsAxes, showsSubtitle }: Sizes,
): Pick<Chart, 'numbers' | 'unitOnce'> {
  const { chart_type: kind, locale, unit = '', y_scale: scale, stacked } = request;
  const hasRoom = chartKinds[kind].options.axes && showsAxes && showsSubtitle;
  const own = hasRoom && displayed(unit).length > repeatedMax ? displayed(unit) : '';
  const hasOwnUnits = scale === 'log';
  const formats = { ...valueFormatsOf(own === '' ? request : { ...request, unit: '' }), hasOwnUnits };
  const alone = { numbers: formats, unitOnce: own };
  // English names of powers of ten are single letters, which can be repeated.
  if (!hasRoom || hasOwnUnits || locale === 'en') return alone;
  const sums = stacked ? stacksOf(data).map(({ sum }) => sum) : [];
  const values = [...sums, ...data.series.flatMap((each) => numbersIn(each.values))];
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
  const factor = formats.factor / power.unit;
  const divided = { ...formats, signed, factor, units: [], isCompact: false, minorDigits: undefined };
  return { numbers: divided, unitOnce: `${name} ${own}`.trim() };
}

/** The data of a request; one unnamed series if `series` is empty. Pies leave out labels without a value. */
function dataOf({ chart_type: kind, data = [], series = [], labels }: FullRequest): Data {
  const aligned = alignSeries(series.length > 0 ? series : [{ name: '', data }], labels);
  if (!chartKinds[kind].hasShares) return aligned;
  const values = aligned.series[0]?.values ?? [];
  const present = [...values.keys()].filter((i) => values[i] !== undefined);
  return picked(aligned, present);
}

/** The data and its times, sorted by time. Bands also get places for times that are missing in between. */
function byTime(request: FullRequest, data: Data): Data & Pick<Chart, 'times'> {
  const { chart_type: kind, x_type: type, time_zone: timeZone } = request;
  const { options, hasBands } = chartKinds[kind];
  const hasTimes = type !== 'category' && options.x_type !== undefined;
  const found = hasTimes ? timesOf(data.labels, type === 'time', timeZone) : undefined;
  if (found === undefined) return { ...data, times: undefined };
  const order = orderOf(found);
  if (order !== undefined) return byTime(request, picked(data, order));
  const { times, indexes } = hasBands ? withMissingTimes(found) : { times: found };
  return { ...(indexes === undefined ? data : picked(data, indexes)), times };
}
