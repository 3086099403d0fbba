import type { ChartRequest, DataPoint } from './generated/request.ts';
import type { ChartError } from './invalid-chart.ts';

// Characters that XML 1.0 cannot represent, except lone surrogates, which `isWellFormed` finds.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const blank = /(?:[^\S\u00a0\u202f]|[\x7f-\x9f\p{Noncharacter_Code_Point}])+/gu;
const textFields = ['title', 'subtitle', 'source', 'x_title', 'y_title', 'unit'] as const;

/** Errors of texts that XML cannot contain. */
export function unwritableTexts(request: ChartRequest): ChartError[] {
  const { series = [], labels = [], lines = [] } = request;
  const texts = [
    ...textFields.map((field) => ({ pointer: `/${field}`, text: request[field] ?? '' })),
    ...labels.map((text, i) => ({ pointer: `/labels/${i}`, text })),
    ...lines.map(({ label = '' }, i) => ({ pointer: `/lines/${i}/label`, text: label })),
    ...series.map(({ name }, i) => ({ pointer: `/series/${i}/name`, text: name })),
  ];
  return [
    ...texts.filter(({ text }) => !isWritable(text)).map(({ pointer }) => ({ pointer, ...unsupported })),
    ...pointErrors(request, 'label', ({ label }) => (isWritable(label) ? undefined : unsupported)),
  ];
}

const unsupported = {
  code: 'unsupported_character',
  detail: 'has a character that XML does not allow',
} as const;

/** Returns true if `displayed` changes no text of a request. */
export function isAllPlain(request: ChartRequest): boolean {
  const { data = [], series = [], labels = [], lines = [] } = request;
  return (
    textFields.every((field) => isPlain(request[field] ?? '')) &&
    labels.every(isPlain) &&
    lines.every(hasPlainLabel) &&
    data.every(hasPlainLabel) &&
    series.every(({ name, data }) => isPlain(name) && data.every(hasPlainLabel))
  );
}

function hasPlainLabel({ label = '' }: { readonly label?: string }): boolean {
  return isPlain(label);
}

function isWritable(text: string): boolean {
  return isPlain(text) || (text.isWellFormed() && !unwritable.test(text));
}

/** The text as it is drawn: composed for fonts, without control characters except line breaks. */
export function displayed(text: string): string {
  if (isPlain(text)) return text;
  const spaceFor = (blanks: string): string => (/[\n\u2028]/.test(blanks) ? '\n' : ' ');
  return text.normalize('NFC').replace(blank, spaceFor).trim();
}

/**
 * Returns true for one line of ASCII without spaces at its ends or two in a row, which `displayed` would not change.
 */
function isPlain(text: string): boolean {
  let isAfterSpace = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isSpace = code === 0x20;
    if (isSpace ? isAfterSpace : code < 0x20 || code > 0x7e) return false;
    isAfterSpace = isSpace;
  }
  return !isAfterSpace || text === '';
}

/** Errors of one field of the points in `data` and in `series`. */
export function pointErrors(
  { data = [], series = [] }: Pick<ChartRequest, 'data' | 'series'>,
  field: keyof DataPoint,
  errorOf: (point: DataPoint) => Omit<ChartError, 'pointer'> | undefined,
): ChartError[] {
  const lists = [{ place: '/data', points: data }];
  series.forEach((each, i) => lists.push({ place: `/series/${i}/data`, points: each.data }));
  const errors: ChartError[] = [];
  for (const { place, points } of lists) {
    points.forEach((point, i) => {
      const error = errorOf(point);
      if (error !== undefined) errors.push({ pointer: `${place}/${i}/${field}`, ...error });
    });
  }
  return errors;
}
