import { english, type NumberFormats } from './number-formats.ts';

/** The formats of a BCP 47 tag. They are made by Intl, which takes about as long as drawing a chart, and kept. */
export function numberFormatsOf(locale: string): NumberFormats {
  if (locale === 'en') return english;
  const known = formatsByLocale.get(locale);
  if (known !== undefined) return known;
  const formats = intlFormats(locale);
  // A tag may have any extensions, so the number of tags has no bound of its own.
  if (formatsByLocale.size >= localesMax) formatsByLocale.clear();
  formatsByLocale.set(locale, formats);
  return formats;
}

const localesMax = 200;
const formatsByLocale = new Map<string, NumberFormats>();

/** Whether a tag is well-formed, and Intl knows how its language writes numbers. */
export function isKnownLocale(locale: string): boolean {
  // Asking Intl takes longer than drawing an SVG.
  if (locale === 'en' || formatsByLocale.has(locale)) return true;
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

function intlFormats(locale: string): NumberFormats {
  const writer = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
    const format = new Intl.NumberFormat(locale, options);
    return (value) => plain(format.format(value));
  };
  const fixed = Array.from({ length: 13 }, (_, decimals) =>
    writer({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  );
  const grouped = writer({});
  const percent = writer({ style: 'percent', maximumFractionDigits: 1 });
  const isEnglish = new Intl.Locale(locale).language === 'en';
  return {
    upToFourDigits: writer({ maximumSignificantDigits: 4 }),
    threeDigits: writer({ maximumSignificantDigits: 3, useGrouping: false }),
    grouped,
    fixed: (value, decimals) => (fixed[decimals] ?? grouped)(value),
    percent: (value) => percent(value / 100),
    units: isEnglish ? english.units : unitsOf(locale),
  };
}

/** The powers of ten that have a short name in the language, such as 1 Mio. or 1万; in some, 1,000 has none. */
function unitsOf(locale: string): NumberFormats['units'] {
  const format = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 1 });
  return Array.from({ length: 10 }, (_, i) => 10 ** (12 - i)).flatMap((unit) => {
    const parts = format.formatToParts(unit);
    const at = parts.findIndex(({ type }) => type === 'integer');
    const isOne = parts[at]?.value === format.formatToParts(1)[0]?.value;
    if (!isOne || parts.every(({ type }) => type !== 'compact')) return [];
    const textOf = (some: typeof parts): string => plain(some.map(({ value }) => value).join(''));
    const [before, after] = [textOf(parts.slice(0, at)), textOf(parts.slice(at + 1))];
    return [{ unit, write: (text: string) => before + text + after }];
  });
}

/** Spaces and minus signs that the built-in PDF fonts have, and no marks of direction, which have no glyph. */
export function plain(text: string): string {
  return text
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replace(/\u2212/g, '-')
    .replace(/[\u200e\u200f\u061c]/g, '');
}
