import type { ChartRequest, DataPoint } from './generated/request.ts';
import type { ChartError } from './invalid-chart.ts';

// Characters that XML 1.0 cannot represent, except lone surrogates, which `isWellFormed` finds.
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const blank = /(?:[^\S\u00a0\u202f]|[\x7f-\x9f\p{Noncharacter_Code_Point}])+/gu;
const textFields = ['title', 'subtitle', 'source', 'x_title', 'y_title', 'unit'] as const;

type TextAt = readonly [pointer: string, text: string];

/** The texts of a request, except the labels of points. */
function textsOf(request: ChartRequest): readonly TextAt[] {
  const { series = [], labels = [], lines = [] } = request;
  return [
    ...textFields.map((field): TextAt => [`/${field}`, request[field] ?? '']),
    ...labels.map((text, i): TextAt => [`/labels/${i}`, text]),
    ...lines.map(({ label = '' }, i): TextAt => [`/lines/${i}/label`, label]),
    ...series.map(({ name }, i): TextAt => [`/series/${i}/name`, name]),
  ];
}

/** Errors of texts that XML cannot contain. */
export function unwritableTexts(request: ChartRequest): ChartError[] {
  return errorsIn(request, 'label', textsOf(request), (text) => (isWritable(text) ? undefined : unsupported));
}

const unsupported = {
  code: 'unsupported_character',
  detail: 'has a character that XML does not allow',
} as const;

/** Returns true if `displayed` changes no text of a request. */
export function isAllPlain(request: ChartRequest): boolean {
  const { data = [], series = [] } = request;
  return (
    textsOf(request).every(([, text]) => isPlain(text)) &&
    [data, ...series.map((each) => each.data)].every((points) => points.every(({ label }) => isPlain(label)))
  );
}

function isWritable(text: string): boolean {
  return isPlain(text) || (text.isWellFormed() && !unwritable.test(text));
}

/** The text as it is drawn: in NFC, trimmed, with one space or line break for blanks and control characters. */
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

/** Errors of other places, and then of one field of the points in `data` and in `series`. */
export function errorsIn<Field extends keyof DataPoint>(
  { data = [], series = [] }: ChartRequest,
  field: Field,
  others: readonly (readonly [pointer: string, value: DataPoint[Field]])[],
  errorOf: (value: DataPoint[Field]) => Omit<ChartError, 'pointer'> | undefined,
): ChartError[] {
  const errors: ChartError[] = [];
  for (const [pointer, value] of others) {
    const error = errorOf(value);
    if (error !== undefined) errors.push({ pointer, ...error });
  }
  [data, ...series.map((each) => each.data)].forEach((points, list) => {
    points.forEach((point, i) => {
      const error = errorOf(point[field]);
      const place = list === 0 ? '/data' : `/series/${list - 1}/data`;
      if (error !== undefined) errors.push({ pointer: `${place}/${i}/${field}`, ...error });
    });
  });
  return errors;
}
