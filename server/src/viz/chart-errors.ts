import type { InvalidField } from '../errors.ts';
import type { Schemas } from '../operation.ts';
import type { Color } from './color.ts';
import { isKnownLocale } from './layout/intl-formats.ts';
import { stackOf, type Series } from './series.ts';

type ChartRequest = Schemas['ChartRequest'];

interface Parsed {
  readonly colors: readonly (Color | undefined)[];
  readonly background: Color | undefined;
  readonly series: readonly Series[];
}

/** The largest width and height of a PNG, also in the contract. */
const pixelsMax = 4096;
const notAColor = {
  code: 'malformed',
  detail: 'must be a CSS color: a name, #hex, rgb(), rgba(), hsl() or hsla()',
} as const;

/** What the contract's schema cannot express. */
export function chartErrors(request: ChartRequest, { colors, background, series }: Parsed): InvalidField[] {
  const errors = [...valueErrors(request), ...dataErrors(request), ...scaleErrors(request)];
  colors.forEach((color, i) => {
    if (color === undefined) errors.push({ pointer: `/colors/${i}`, ...notAColor });
  });
  if (request.background !== undefined && background === undefined)
    errors.push({ pointer: '/background', ...notAColor });
  if (!isKnownLocale(request.locale)) errors.push(unknownLocale);
  if (request.stacked && errors.length === 0 && !isFiniteStack(series)) errors.push(infiniteStack);
  return errors;
}

const unknownLocale = {
  pointer: '/locale',
  code: 'malformed',
  detail: 'must be a known BCP 47 language tag, such as de or pt-BR',
} as const;

const infiniteStack = {
  pointer: '/series',
  code: 'too_large',
  detail: 'must not have stacks larger than the largest number',
} as const;

/** The data is in one of two fields. */
function dataErrors({ chart_type: kind, data, series = [], stacked }: ChartRequest): InvalidField[] {
  const errors: InvalidField[] = [];
  const refuse = (field: string, code: InvalidField['code'], detail: string): void => {
    errors.push({ pointer: `/${field}`, code, detail });
  };
  const hasSeries = series.length > 0;
  if (data === undefined && !hasSeries) refuse('data', 'required', 'is required, unless series has the data');
  if (hasSeries && data !== undefined && data.length > 0)
    refuse('series', 'conflicting', 'must be left out if data has points; send one of the two');
  if (hasSeries && kind === 'pie')
    refuse('series', 'conflicting', 'is for bar and line charts; send the slices of a pie in data');
  if (stacked && kind !== 'bar') refuse('stacked', 'conflicting', 'is for bar charts only');
  return errors;
}

function isFiniteStack(series: readonly Series[]): boolean {
  const count = series[0]?.values.length ?? 0;
  for (let i = 0; i < count; i++) {
    const { up, down } = stackOf(series, i);
    if (!Number.isFinite(up) || !Number.isFinite(down)) return false;
  }
  return true;
}

/** A scaled picture has the limits of an unscaled one. */
function scaleErrors({ width, height, scale }: ChartRequest): InvalidField[] {
  if (Math.max(width, height) * scale <= pixelsMax) return [];
  const detail = `must not make the picture larger than ${pixelsMax} by ${pixelsMax} pixels; it would have ${width * scale} by ${height * scale}`;
  return [{ pointer: '/scale', code: 'too_large', detail }];
}

function valueErrors({ chart_type: kind, data = [], series = [] }: ChartRequest): InvalidField[] {
  const errors: InvalidField[] = [];
  const lowest = kind === 'pie' ? 0 : -Number.MAX_VALUE;
  const check = (place: string, points: typeof data): void => {
    points.forEach(({ value }, i) => {
      if (value >= lowest && value <= Number.MAX_VALUE) return;
      errors.push({ pointer: `${place}/${i}/value`, ...(Number.isFinite(value) ? negative : infinite) });
    });
  };
  check('/data', data);
  series.forEach((each, i) => {
    check(`/series/${i}/data`, each.data);
  });
  return errors;
}

// JSON has no infinity, but 1e999 is read as one.
const infinite = { code: 'too_large', detail: 'must be a finite number' } as const;
const negative = { code: 'too_small', detail: 'must not be negative in a pie chart' } as const;
