import { chartKinds, chartsWith, optionsUsedBy } from './chart-kinds.ts';
import { displayed, pointErrors } from './chart-text.ts';
import type { ChartError } from './invalid-chart.ts';
import type { FullRequest } from './request.ts';
import { parseColor } from '../color.ts';
import { isKnownCurrency, isKnownLocale } from '../text/number-formats.ts';
import { isKnownTimeZone, parseTime } from './times.ts';

/** The most points of all series together; must match the contract. */
const pointsMax = 20_000;
/** The largest width and height of a PNG; must match the contract. */
const pixelsMax = 4096;

/** Errors that the schema of the contract cannot express, such as an unknown colour. */
export function errorsOf(request: FullRequest): ChartError[] {
  return [
    ...dataErrors(request),
    ...optionErrors(request),
    ...timeErrors(request),
    ...formatErrors(request),
    ...valueAxisErrors(request),
    ...colorErrors(request),
  ];
}

/** The error of a field, if it has one. */
function when(isWrong: boolean, pointer: string, code: ChartError['code'], detail: string): ChartError[] {
  return isWrong ? [{ pointer, code, detail }] : [];
}

function dataErrors(request: FullRequest): ChartError[] {
  const { chart_type: kind, data, series = [] } = request;
  const { hasShares } = chartKinds[kind];
  const missing = { code: 'wrong_type', detail: `must be a number in a ${kind} chart` } as const;
  const negative = { code: 'too_small', detail: `must not be negative in a ${kind} chart` } as const;
  const needsData = 'is required, unless series has the data';
  const count = series.reduce((sum, each) => sum + each.data.length, 0);
  const hasLosses = series.length > 1 && request.negative_color !== undefined;
  const isTwice = series.length > 0 && data !== undefined && data.length > 0;
  return [
    ...pointErrors(request, 'value', ({ value }) => {
      if (value === null) return hasShares ? missing : undefined;
      if (!isDrawable(value)) return huge;
      return hasShares && value < 0 ? negative : undefined;
    }),
    ...when(data === undefined && series.length === 0, '/data', 'required', needsData),
    ...when(count > pointsMax, '/series', 'too_many', `must not have more than ${pointsMax} points in all`),
    ...when(hasLosses, '/negative_color', 'conflicting', 'is only for bars of one series; leave it out'),
    ...when(isTwice, '/series', 'conflicting', 'must be left out if data has points; send one of the two'),
  ];
}

// Differences and sums of larger numbers could exceed the largest number. JavaScript reads 1e999 as infinity.
const valueMax = 1e300;
const huge = { code: 'too_large', detail: `must be a number from -${valueMax} to ${valueMax}` } as const;
const isDrawable = (value: number): boolean => Math.abs(value) <= valueMax;

/** Errors of options that the kind of chart does not have, or has only together with another option. */
function optionErrors(request: FullRequest): ChartError[] {
  const { options } = chartKinds[request.chart_type];
  const used = optionsUsedBy(request);
  return used
    .filter((option) => {
      const condition = options[option];
      return typeof condition === 'string' ? !used.includes(condition) : condition === undefined;
    })
    .map((option) => ({
      pointer: `/${option}`,
      code: 'conflicting',
      detail: `is only for ${chartsWith(option)}; leave it out, or change chart_type`,
    }));
}

/** The error of a scale that makes a PNG wider or higher than `pixelsMax`. */
export function scaleErrors({ width, height, scale }: FullRequest): ChartError[] {
  const size = `${width * scale} by ${height * scale}`;
  const detail = `must not make the picture larger than ${pixelsMax} by ${pixelsMax} pixels; it would have ${size}`;
  return when(Math.max(width, height) * scale > pixelsMax, '/scale', 'too_large', detail);
}

/** Errors of the time zone, and of labels that are not times, with `x_type: time`. */
function timeErrors(request: FullRequest): ChartError[] {
  const { x_type: type, labels = [], time_zone: timeZone = 'UTC' } = request;
  if (timeZone !== 'UTC' && !isKnownTimeZone(timeZone))
    return when(true, '/time_zone', 'malformed', 'must be a time zone of IANA, such as Europe/Berlin');
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

function formatErrors({ format, currency, locale }: FullRequest): ChartError[] {
  const isAmount = format === 'currency';
  const isAlone = currency !== undefined && !isAmount;
  const isUnknown = currency !== undefined && isAmount && !isKnownCurrency(currency);
  const needsCurrency = 'is required with the format currency';
  const onlyForAmounts = 'is only for the format currency; leave it out, or change format';
  const knownTag = 'must be a known BCP 47 language tag, such as de or pt-BR';
  return [
    ...when(isAmount && currency === undefined, '/currency', 'required', needsCurrency),
    ...when(isAlone, '/currency', 'conflicting', onlyForAmounts),
    ...when(isUnknown, '/currency', 'malformed', 'must be a currency code of ISO 4217, such as EUR'),
    ...when(!isKnownLocale(locale), '/locale', 'malformed', knownTag),
  ];
}

/** Errors of the fields of the value axis. In a chart without such an axis, `optionErrors` refuses these fields. */
function valueAxisErrors(request: FullRequest): ChartError[] {
  const { chart_type: kind, y_min: min, y_max: max, y_scale: scale, lines = [] } = request;
  const { stacked, area = false } = request;
  const { options, hasBands } = chartKinds[kind];
  if (options.y_min === undefined) return [];
  const wrong = (isRight: (value: number) => boolean, error: Omit<ChartError, 'pointer'>): ChartError[] =>
    [
      { pointer: '/y_min', value: min },
      { pointer: '/y_max', value: max },
      ...lines.map(({ value }, i) => ({ pointer: `/lines/${i}/value`, value })),
    ].flatMap(({ pointer, value }) => (value === undefined || isRight(value) ? [] : [{ pointer, ...error }]));
  const errors = [
    ...wrong(isDrawable, huge),
    ...when((min ?? -Infinity) >= (max ?? Infinity), '/y_max', 'too_small', 'must be above y_min'),
  ];
  if (scale === 'log') {
    const measured = 'must be linear in stacked charts and areas, which are measured from zero';
    if (stacked || area) return [...errors, { pointer: '/y_scale', code: 'conflicting', detail: measured }];
    const isPositive = (value: number | null): boolean => value === null || value > 0;
    const points = pointErrors(request, 'value', ({ value }) =>
      isPositive(value) ? undefined : notPositive,
    );
    return [...errors, ...wrong(isPositive, notPositive), ...points];
  }
  if (!hasBands && !area) return errors;
  // If zero were outside the limits, the length of bars and areas would not show their values.
  const start = `0, where ${area ? 'area' : kind}s start`;
  return [
    ...errors,
    ...when((min ?? 0) > 0, '/y_min', 'too_large', `must not be above ${start}`),
    ...when((max ?? 0) < 0, '/y_max', 'too_small', `must not be below ${start}`),
  ];
}

const notPositive = { code: 'too_small', detail: 'must be above 0 on a logarithmic axis' } as const;

function colorErrors({ colors = [], background, negative_color: negative }: FullRequest): ChartError[] {
  const notAColor = 'must be a CSS color: a name, #hex, rgb(), rgba(), hsl() or hsla()';
  const check = (text: string | undefined, pointer: string): ChartError[] =>
    when(text !== undefined && parseColor(text) === undefined, pointer, 'malformed', notAColor);
  return [
    ...colors.flatMap((text, i) => check(text, `/colors/${i}`)),
    ...check(background, '/background'),
    ...check(negative, '/negative_color'),
  ];
}
