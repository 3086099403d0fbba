import { sum } from 'd3-array';
import { chartKinds, chartsWith, optionsOfOthers } from './chart-kinds.ts';
import { displayed, errorsIn, isAllPlain, unwritableTexts } from './chart-text.ts';
import type { ChartError } from './invalid-chart.ts';
import type { ChartRequest } from './generated/request.ts';
import { withDefaults, type FullRequest } from './request.ts';
import { parseColor } from '../color.ts';
import { isKnownCurrency, isKnownLocale } from '../text/number-formats.ts';
import { isKnownTimeZone, parseTime } from './times.ts';

/** The most points of all series together; must match the contract. */
const pointsMax = 20_000;
/** The largest width and height of a PNG; must match the contract. */
const pixelsMax = 4096;
// Differences and sums of larger numbers could exceed the largest number. JavaScript reads 1e999 as infinity.
const valueMax = 1e300;

export type Format = 'svg' | 'png' | 'pdf';

/** Errors that the schema of the contract cannot express, such as an unknown colour. */
export function chartErrors(request: ChartRequest, format: Format = 'svg'): ChartError[] {
  return errorsOf(withDefaults(request), format, isAllPlain(request));
}

/** The same. `isPlain` is true if `displayed` changes no text of the request. */
export function errorsOf(request: FullRequest, format: Format, isPlain: boolean): ChartError[] {
  return [
    ...(isPlain ? [] : unwritableTexts(request)),
    ...numberErrors(request),
    ...timeErrors(request),
    ...rulesOf(request, format).flatMap(([isBroken, pointer, code, detail]) =>
      isBroken ? [{ pointer, code, detail }] : [],
    ),
  ];
}

/** Errors of values and, in a chart with a value axis, of the limits of the axis and of reference lines. */
function numberErrors(request: FullRequest): ChartError[] {
  const { chart_type: kind, y_min: min = null, y_max: max = null, lines = [] } = request;
  const { hasShares, options } = chartKinds[kind];
  // Stacked charts and areas must be linear in any case.
  const isLog = request.y_scale === 'log' && !request.stacked && request.area !== true;
  const missing = { code: 'wrong_type', detail: `must be a number in a ${kind} chart` } as const;
  const negative = { code: 'too_small', detail: `must not be negative in a ${kind} chart` } as const;
  const limits = [['/y_min', min] as const, ['/y_max', max] as const];
  const onAxis = [...limits, ...lines.map(({ value }, i) => [`/lines/${i}/value`, value] as const)];
  return errorsIn(request, 'value', options.y_min === undefined ? [] : onAxis, (value) => {
    if (value === null) return hasShares ? missing : undefined;
    if (!(Math.abs(value) <= valueMax)) return huge;
    if (hasShares) return value < 0 ? negative : undefined;
    return isLog && value <= 0 ? notPositive : undefined;
  });
}

const huge = { code: 'too_large', detail: `must be a number from -${valueMax} to ${valueMax}` } as const;
const notPositive = { code: 'too_small', detail: 'must be above 0 on a logarithmic axis' } as const;

/** Errors of labels that are not times, with `x_type: time`. */
function timeErrors(request: FullRequest): ChartError[] {
  if (request.x_type !== 'time') return [];
  const isTime = (label: string): boolean => parseTime(displayed(label)) !== undefined;
  const labels = (request.labels ?? []).map((label, i) => [`/labels/${i}`, label] as const);
  return errorsIn(request, 'label', labels, (label) => (isTime(label) ? undefined : notATime));
}

const notATime = {
  code: 'malformed',
  detail: 'must be a date or date-time of ISO 8601, such as 2026-01-31 or 2026-01-31T18:30Z',
} as const;

/** A condition that is wrong, and its error. */
type Rule = readonly [isBroken: boolean, pointer: string, code: ChartError['code'], detail: string];

/** The rules of a request. In a chart without axes, the fields of axes are options of other charts. */
function rulesOf(request: FullRequest, format: Format): readonly Rule[] {
  const { chart_type: kind, data, series = [], stacked, area = false, width, height, scale } = request;
  const { y_min: min = -Infinity, y_max: max = Infinity, time_zone: zone = 'UTC', locale } = request;
  const { format: style, currency, colors = [], background, negative_color: negative } = request;
  const { hasBands, options } = chartKinds[kind];
  const onlyFor = (charts: string): string => `is only for ${charts}; leave it out, or change chart_type`;
  const isMany = sum(series, (each) => each.data.length) > pointsMax;
  const isTwice = series.length > 0 && data !== undefined && data.length > 0;
  const isLarge = format === 'png' && Math.max(width, height) * scale > pixelsMax;
  const larger = `make the picture larger than ${pixelsMax} by ${pixelsMax} pixels`;
  const size = `${width * scale} by ${height * scale}`;
  const isLog = request.y_scale === 'log';
  const hasAxis = options.y_min !== undefined;
  // If zero were outside the limits, the length of bars and areas would not show their values.
  const isFromZero = hasAxis && (hasBands || area) && !isLog;
  const start = `0, where ${area ? 'area' : kind}s start`;
  const measured = 'must be linear in stacked charts and areas, which are measured from zero';
  const isAmount = style === 'currency';
  const onlyAmount = 'is only for the format currency; leave it out, or change format';
  const isUnknown = isAmount && currency !== undefined && !isKnownCurrency(currency);
  const tag = 'must be a known BCP 47 language tag, such as de or pt-BR';
  const hasLosses = series.length > 1 && negative !== undefined;
  const notAColor = 'must be a CSS color: a name, #hex, rgb(), rgba(), hsl() or hsla()';
  const isColor = (text?: string): boolean => text === undefined || parseColor(text) !== undefined;
  return [
    ...optionsOfOthers(request).map((option): Rule => {
      return [true, `/${option}`, 'conflicting', onlyFor(chartsWith(option))];
    }),
    [!data && series.length === 0, '/data', 'required', 'is required, unless series has the data'],
    [isMany, '/series', 'too_many', `must not have more than ${pointsMax} points in all`],
    [isTwice, '/series', 'conflicting', 'must be left out if data has points; send one of the two'],
    [isLarge, '/scale', 'too_large', `must not ${larger}; it would have ${size}`],
    [!isKnownTimeZone(zone), '/time_zone', 'malformed', 'must be a time zone of IANA, such as Europe/Berlin'],
    [hasAxis && min >= max, '/y_max', 'too_small', 'must be above y_min'],
    [isFromZero && min > 0, '/y_min', 'too_large', `must not be above ${start}`],
    [isFromZero && max < 0, '/y_max', 'too_small', `must not be below ${start}`],
    [hasAxis && isLog && (stacked || area), '/y_scale', 'conflicting', measured],
    [isAmount && !currency, '/currency', 'required', 'is required with the format currency'],
    [!isAmount && currency !== undefined, '/currency', 'conflicting', onlyAmount],
    [isUnknown, '/currency', 'malformed', 'must be a currency code of ISO 4217, such as EUR'],
    [!isKnownLocale(locale), '/locale', 'malformed', tag],
    ...colors.map((color, i): Rule => [!isColor(color), `/colors/${i}`, 'malformed', notAColor]),
    [!isColor(background), '/background', 'malformed', notAColor],
    [!isColor(negative), '/negative_color', 'malformed', notAColor],
    [hasLosses, '/negative_color', 'conflicting', 'is only for bars of one series; leave it out'],
  ];
}
