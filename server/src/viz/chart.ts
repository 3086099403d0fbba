import { parseColor, type Color } from './color.ts';
import { Problem, validationError } from '../errors.ts';
import type { FieldError, Schemas } from '../operation.ts';

type ChartRequest = Schemas['ChartRequest'];

/** A chart to draw: the validated request with its defaults applied. */
export interface Chart {
  readonly kind: 'bar' | 'line' | 'pie';
  /** Empty if the request has none. */
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly points: readonly Point[];
  /** The colours of the request; empty if it has none. */
  readonly colors: readonly Color[];
}

export interface Point {
  readonly label: string;
  readonly value: number;
}

// The characters that XML 1.0 cannot represent, lone surrogates included.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const blank = /[\s\x7f-\x9f]+/g;

/** Reads a validated request. Throws a Problem for errors that the contract's schema cannot express. */
export function chartFrom(request: ChartRequest): Chart {
  const isAllPlain = isPlain(request.title ?? '') && request.data.every(({ label }) => isPlain(label));
  if (!isAllPlain) refuseUnwritable(request);
  const colors = request.colors?.map(parseColor) ?? [];
  const errors = [...valueErrors(request), ...colorErrors(colors)];
  if (errors.length > 0) throw validationError(errors);
  return {
    kind: request.chart_type,
    title: displayed(request.title ?? ''),
    width: request.width,
    height: request.height,
    points: isAllPlain
      ? request.data
      : request.data.map(({ label, value }) => ({ label: displayed(label), value })),
    colors: colors.filter((color) => color !== undefined),
  };
}

function refuseUnwritable(request: ChartRequest): void {
  const pointers = isWritable(request.title ?? '') ? [] : ['/title'];
  request.data.forEach(({ label }, i) => {
    if (!isWritable(label)) pointers.push(`/data/${i}/label`);
  });
  if (pointers.length === 0) return;
  const errors = pointers.map((pointer) => ({ pointer, detail: 'has a character that XML does not allow' }));
  const sentence = `The SVG cannot be parsed, because the text at ${pointers[0] ?? ''} has a character that XML does not allow. Remove it.`;
  throw new Problem('SVG_PARSE_ERROR', sentence, { errors });
}

function isWritable(text: string): boolean {
  return isPlain(text) || (text.isWellFormed() && !unwritable.test(text));
}

function colorErrors(colors: readonly (Color | undefined)[]): FieldError[] {
  const detail = 'must be a CSS color: a name, #hex, rgb(), rgba(), hsl() or hsla()';
  return colors.flatMap((color, i) => (color ? [] : [{ pointer: `/colors/${i}`, detail }]));
}

function valueErrors({ chart_type, data }: ChartRequest): FieldError[] {
  const errors: FieldError[] = [];
  data.forEach(({ value }, i) => {
    const detail = valueError(value, chart_type);
    if (detail !== undefined) errors.push({ pointer: `/data/${i}/value`, detail });
  });
  return errors;
}

/** JSON has no infinity, but 1e999 is read as one. */
function valueError(value: number, kind: Chart['kind']): string | undefined {
  if (!Number.isFinite(value)) return 'must be a finite number';
  return kind === 'pie' && value < 0 ? 'must not be negative in a pie chart' : undefined;
}

/** One line without control characters, composed as fonts expect it. */
function displayed(text: string): string {
  return isPlain(text) ? text : text.normalize('NFC').replace(blank, ' ').trim();
}

/** One line of ASCII without spaces at its ends, like most texts: it needs no cleaning. */
function isPlain(text: string): boolean {
  let before = 0x20;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return before !== 0x20 || text === '';
}
