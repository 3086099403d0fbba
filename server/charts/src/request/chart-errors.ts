import { sum } from 'd3-array';
import { chartKinds, chartsWith, optionsOfOthers } from './chart-kinds.ts';
import { displayed, isWritable } from './chart-text.ts';
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

/** An invalid field of a request. `detail` is the end of a sentence, such as "must be a finite number". */
export interface ChartError {
  /** The JSON Pointer of the field (RFC 6901). */
  readonly pointer: string;
  readonly code:
    | 'conflicting'
    | 'malformed'
    | 'required'
    | 'too_large'
    | 'too_many'
    | 'too_small'
    | 'unsupported_character'
    | 'wrong_type';
  readonly detail: string;
}

/** Thrown for a request that cannot be drawn. The message has at most ten errors. */
export class InvalidChart extends Error {
  readonly errors: readonly ChartError[];

  constructor(errors: readonly ChartError[]) {
    const sentences = errors.map(({ pointer, detail }) => `${pointer} ${detail}.`);
    super(sentences.slice(0, 10).join(' '));
    this.name = 'InvalidChart';
    this.errors = errors;
  }
}

export type Format = 'svg' | 'png' | 'pdf';

const textFields = ['title', 'subtitle', 'source', 'x_title', 'y_title', 'unit'] as const;

/** Errors that the contract's schema cannot express, such as an unknown colour. Unsupported characters come first. */
export function chartErrors(given: ChartRequest, format: Format = 'svg'): ChartError[] {
  const request = withDefaults(given);
  const { data = [], series = [], labels = [], lines = [], y_min: min = null, y_max: max = null } = request;
  const [labelFault, valueFault] = [labelFaultIn(request), valueFaultIn(request)];
  const hasAxis = chartKinds[request.chart_type].options.y_min !== undefined;
  const limits = [['/y_min', min] as const, ['/y_max', max] as const];
  const onAxis = [...limits, ...lines.map(({ value }, i) => [`/lines/${i}/value`, value] as const)];
  const errors: ChartError[] = [];
  const add = (pointer: string, fault: Fault | undefined): void => {
    if (fault !== undefined) errors.push({ pointer, code: fault[0], detail: fault[1] });
  };
  for (const field of textFields) add(`/${field}`, textFault(request[field] ?? ''));
  for (const [i, { label = '' }] of lines.entries()) add(`/lines/${i}/label`, textFault(label));
  for (const [i, { name }] of series.entries()) add(`/series/${i}/name`, textFault(name));
  for (const [i, label] of labels.entries()) add(`/labels/${i}`, labelFault(label));
  for (const [pointer, value] of hasAxis ? onAxis : []) add(pointer, valueFault(value));
  [data, ...series.map((each) => each.data)].forEach((points, list) => {
    const place = list === 0 ? '/data' : `/series/${list - 1}/data`;
    points.forEach(({ label, value }, i) => {
      // A valid point needs no pointer.
      const ofLabel = labelFault(label);
      if (ofLabel !== undefined) add(`${place}/${i}/label`, ofLabel);
      const ofValue = valueFault(value);
      if (ofValue !== undefined) add(`${place}/${i}/value`, ofValue);
    });
  });
  for (const [isBroken, pointer, ...fault] of rulesOf(request, format)) if (isBroken) add(pointer, fault);
  const rank = ({ code }: ChartError): number => (code === 'unsupported_character' ? 0 : 1);
  return errors.sort((a, b) => rank(a) - rank(b));
}

function textFault(text: string): Fault | undefined {
  if (isWritable(text)) return undefined;
  return ['unsupported_character', 'has a character that XML does not allow'];
}

/** Returns what is wrong with a label. With `x_type: time`, labels must be times. */
function labelFaultIn({ x_type: type }: FullRequest): (label: string) => Fault | undefined {
  if (type !== 'time') return textFault;
  return (label) => textFault(label) ?? (parseTime(displayed(label)) === undefined ? notATime : undefined);
}

const notATime: Fault = [
  'malformed',
  'must be a date or date-time of ISO 8601, such as 2026-01-31 or 2026-01-31T18:30Z',
];

/** Returns what is wrong with a value, a limit of the value axis or a reference line. */
function valueFaultIn(request: FullRequest): (value: number | null) => Fault | undefined {
  const { chart_type: kind, y_scale: scale, stacked, area = false } = request;
  const { hasShares } = chartKinds[kind];
  // Stacked charts and areas must not be logarithmic, for which `rulesOf` has another error.
  const isLog = scale === 'log' && !stacked && !area;
  const missing: Fault = ['wrong_type', `must be a number in a ${kind} chart`];
  const negative: Fault = ['too_small', `must not be negative in a ${kind} chart`];
  return (value) => {
    if (value === null) return hasShares ? missing : undefined;
    if (!(Math.abs(value) <= valueMax)) return huge;
    if (hasShares) return value < 0 ? negative : undefined;
    return isLog && value <= 0 ? notPositive : undefined;
  };
}

const huge: Fault = ['too_large', `must be a number from -${valueMax} to ${valueMax}`];
const notPositive: Fault = ['too_small', 'must be above 0 on a logarithmic axis'];

/** What is wrong with a field. */
type Fault = readonly [code: ChartError['code'], detail: string];

/** Whether a rule is broken, and the error for it. */
type Rule = readonly [isBroken: boolean, pointer: string, ...Fault];

/** The rules of a request. Fields of axes that a kind of chart lacks break only the first rule. */
function rulesOf(request: FullRequest, format: Format): readonly Rule[] {
  const { chart_type: kind, data, series = [], stacked, area = false, width, height, scale } = request;
  const { y_min: min = -Infinity, y_max: max = Infinity, time_zone: zone = 'UTC', locale } = request;
  const { format: style, currency, colors = [], background, negative_color: negative } = request;
  const { hasBands, options } = chartKinds[kind];
  const onlyFor = (option: keyof FullRequest): string =>
    `is only for ${chartsWith(option)}; leave it out, or change chart_type`;
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
    ...optionsOfOthers(request).map((option): Rule => [true, `/${option}`, 'conflicting', onlyFor(option)]),
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
