import { chartKinds, chartOptions, chartsWith } from './chart-kinds.ts';
import { displayed, pointErrors } from './chart-text.ts';
import type { ChartError } from './invalid-chart.ts';
import type { FullRequest } from './request.ts';
import type { Color } from '../color.ts';
import { isKnownCurrency, isKnownLocale } from '../text/number-formats.ts';
import { stackOf, type Data } from './series.ts';
import { isKnownTimeZone, parseTime } from './times.ts';
import { valueAxisErrors } from './value-axis-errors.ts';

interface Parsed {
  readonly colors: readonly (Color | undefined)[];
  readonly background: Color | undefined;
  readonly negativeColor: Color | undefined;
  readonly data: Data;
}

/** The most points of all series together; must match the contract. */
const pointsMax = 20_000;
/** The largest width and height of a PNG; must match the contract. */
const pixelsMax = 4096;

/** Errors that the schema of the contract cannot express, such as an unknown colour. */
export function errorsOf(request: FullRequest, parsed: Parsed): ChartError[] {
  const errors = [
    ...valueErrors(request),
    ...dataErrors(request),
    ...optionErrors(request),
    ...timeErrors(request),
    ...currencyErrors(request),
    ...valueAxisErrors(request),
    ...colorErrors(request, parsed),
    ...localeErrors(request),
  ];
  return errors.length > 0 ? errors : sumErrors(request, parsed.data);
}

function valueErrors(request: FullRequest): ChartError[] {
  const { chart_type: kind } = request;
  const { showsShares } = chartKinds[kind];
  const lowest = showsShares ? 0 : -Number.MAX_VALUE;
  const missing = { code: 'wrong_type', detail: `must be a number in a ${kind} chart` } as const;
  const negative = { code: 'too_small', detail: `must not be negative in a ${kind} chart` } as const;
  return pointErrors(request, 'value', ({ value }) => {
    if (value === null) return showsShares ? missing : undefined;
    if (value >= lowest && value <= Number.MAX_VALUE) return undefined;
    return Number.isFinite(value) ? negative : infinite;
  });
}

// JSON has no infinity, but JavaScript reads 1e999 as infinity.
const infinite = { code: 'too_large', detail: 'must be a finite number' } as const;

/** Errors of a request that has both `data` and `series`, or neither. */
function dataErrors({ data, series = [], negative_color: negativeColor }: FullRequest): ChartError[] {
  if (data === undefined && series.length === 0)
    return [{ pointer: '/data', code: 'required', detail: 'is required, unless series has the data' }];
  if (series.reduce((sum, each) => sum + each.data.length, 0) > pointsMax) {
    const detail = `must not have more than ${pointsMax} points in all`;
    return [{ pointer: '/series', code: 'too_many', detail }];
  }
  if (series.length > 1 && negativeColor !== undefined)
    return [conflicting('negative_color', 'is only for bars of one series; leave it out')];
  if (series.length === 0 || data === undefined || data.length === 0) return [];
  return [conflicting('series', 'must be left out if data has points; send one of the two')];
}

/** Errors of options that the kind of chart does not have, or has only together with another option. */
function optionErrors(request: FullRequest): ChartError[] {
  const { options } = chartKinds[request.chart_type];
  const { series = [], stacked, area = false, donut = false, orientation, x_type: xType } = request;
  const used = {
    series: series.length > 0,
    stacked,
    area,
    donut,
    orientation: orientation === 'horizontal',
    x_type: xType !== 'auto',
    y_min: request.y_min !== undefined,
    y_max: request.y_max !== undefined,
    y_scale: request.y_scale === 'log',
    lines: (request.lines ?? []).length > 0,
    negative_color: request.negative_color !== undefined,
    axes: request.axes === 'none',
    time_zone: request.time_zone !== undefined,
    values: request.values === 'last',
  };
  return chartOptions
    .filter((option) => {
      const condition = options[option];
      return used[option] && !(typeof condition === 'string' ? used[condition] : condition === true);
    })
    .map((option) =>
      conflicting(option, `is only for ${chartsWith(option)}; leave it out, or change chart_type`),
    );
}

function conflicting(field: string, detail: string): ChartError {
  return { pointer: `/${field}`, code: 'conflicting', detail };
}

/** The scaled picture must stay within the limits of width and height. */
export function scaleErrors({ width, height, scale }: FullRequest): ChartError[] {
  if (Math.max(width, height) * scale <= pixelsMax) return [];
  const detail = `must not make the picture larger than ${pixelsMax} by ${pixelsMax} pixels; it would have ${width * scale} by ${height * scale}`;
  return [{ pointer: '/scale', code: 'too_large', detail }];
}

/** Errors of labels that are not times, with `x_type: time`. */
function timeErrors(request: FullRequest): ChartError[] {
  const { x_type: type, labels = [], time_zone: timeZone = 'UTC' } = request;
  if (timeZone !== 'UTC' && !isKnownTimeZone(timeZone))
    return [
      {
        pointer: '/time_zone',
        code: 'malformed',
        detail: 'must be a time zone of IANA, such as Europe/Berlin',
      },
    ];
  if (type !== 'time') return [];
  const isTime = (label: string): boolean => parseTime(displayed(label)) !== undefined;
  return [
    ...labels.flatMap((label, i) => (isTime(label) ? [] : [{ pointer: `/labels/${i}`, ...notATime }])),
    ...pointErrors(request, 'label', ({ label }) => (isTime(label) ? undefined : notATime)),
  ];
}

const notATime = {
  code: 'malformed',
  detail: 'must be a date or date-time of ISO 8601, such as 2026-01-31 or 2026-01-31T18:30Z',
} as const;

function currencyErrors({ format, currency }: FullRequest): ChartError[] {
  const pointer = '/currency';
  if (currency === undefined)
    return format === 'currency'
      ? [{ pointer, code: 'required', detail: 'is required with the format currency' }]
      : [];
  if (format !== 'currency')
    return [conflicting('currency', 'is only for the format currency; leave it out, or change format')];
  if (isKnownCurrency(currency)) return [];
  return [{ pointer, code: 'malformed', detail: 'must be a currency code of ISO 4217, such as EUR' }];
}

function colorErrors(request: FullRequest, { colors, background, negativeColor }: Parsed): ChartError[] {
  const pointers = colors.flatMap((color, i) => (color === undefined ? [`/colors/${i}`] : []));
  if (request.background !== undefined && background === undefined) pointers.push('/background');
  if (request.negative_color !== undefined && negativeColor === undefined) pointers.push('/negative_color');
  const detail = 'must be a CSS color: a name, #hex, rgb(), rgba(), hsl() or hsla()';
  return pointers.map((pointer) => ({ pointer, code: 'malformed', detail }));
}

function localeErrors({ locale }: FullRequest): ChartError[] {
  if (isKnownLocale(locale)) return [];
  const detail = 'must be a known BCP 47 language tag, such as de or pt-BR';
  return [{ pointer: '/locale', code: 'malformed', detail }];
}

/** Errors of sums that exceed the largest number. The values must all be numbers. */
function sumErrors({ stacked, donut }: FullRequest, { labels, series }: Data): ChartError[] {
  const stacks = stacked ? labels.map((_, i) => stackOf(series, i)) : [];
  if (!stacks.every(({ up, down }) => Number.isFinite(up) && Number.isFinite(down))) {
    const detail = 'must not have stacks larger than the largest number';
    return [{ pointer: '/series', code: 'too_large', detail }];
  }
  const sum = (series[0]?.values ?? []).reduce<number>((total, value) => total + (value ?? 0), 0);
  if (donut !== true || Number.isFinite(sum)) return [];
  return [
    {
      pointer: '/data',
      code: 'too_large',
      detail: 'must not have a sum larger than the largest number in a donut',
    },
  ];
}
