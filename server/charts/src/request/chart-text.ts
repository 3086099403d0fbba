import type { ChartRequest, DataPoint } from './generated/request.ts';
import type { ChartError } from './invalid-chart.ts';

// Characters that XML 1.0 cannot represent. Lone surrogates are missing here, because `isWellFormed` finds them.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const blank = /[\s\x7f-\x9f]+/g;
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
    areLabelsPlain(lines) &&
    areLabelsPlain(data) &&
    series.every(({ name, data }) => isPlain(name) && areLabelsPlain(data))
  );
}

function areLabelsPlain(points: readonly { readonly label?: string }[]): boolean {
  for (const { label = '' } of points) if (!isPlain(label)) return false;
  return true;
}

function isWritable(text: string): boolean {
  return isPlain(text) || (text.isWellFormed() && !unwritable.test(text));
}

/** The text as it is drawn: composed for fonts, without control characters except line breaks. */
export function displayed(text: string): string {
  return isPlain(text) ? text : text.normalize('NFC').replace(blank, spaceFor).trim();
}

function spaceFor(blanks: string): string {
  return blanks.includes('\n') ? '\n' : ' ';
}

/**
 * Returns true if `displayed` would not change a text: one line of ASCII, without spaces at its ends or two in a row.
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
