import { LRUCache } from 'lru-cache';
import { english, type NumberFormats } from './number-formats.ts';

// Intl takes as long to make the formats of a locale as drawing a chart takes, and those of a time axis take 200 kB.
export const storedMax = 40;
const formatsByLocale = new LRUCache({ max: storedMax, memoMethod: intlFormats });
const reducedLocales = new LRUCache({ max: storedMax, memoMethod: reduced });
const currencyFormats = new LRUCache({ max: storedMax, memoMethod: intlCurrencyFormat });

/**
 * The parts of a BCP 47 tag that change a chart: language, script, region and numbering system. A tag may have any number
 * of other subtags, each of which would otherwise have formats of its own. Throws a RangeError for a malformed tag.
 */
export function reducedLocale(tag: string): string {
  return tag === 'en' ? tag : reducedLocales.memo(tag);
}

function reduced(tag: string): string {
  const { language, script, region, numberingSystem = '' } = new Intl.Locale(tag);
  const numbering = numberingSystems.has(numberingSystem) ? [`u-nu-${numberingSystem}`] : [];
  return [language, script, region, ...numbering].filter((part) => part !== undefined).join('-');
}

const numberingSystems: ReadonlySet<string> = new Set(Intl.supportedValuesOf('numberingSystem'));

/** The formats of a reduced locale. */
export function numberFormatsOf(locale: string): NumberFormats {
  return locale === 'en' ? english : formatsByLocale.memo(locale);
}

/** How amounts of a currency are written. */
export function currencyFormatOf(locale: string, currency: string): CurrencyFormat {
  return currencyFormats.memo(`${locale} ${currency}`);
}

type CurrencyFormat = Required<Pick<NumberFormats, 'signed' | 'minorDigits'>>;

/** Returns true if Intl knows the ISO 4217 code. */
export function isKnownCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** Returns true if a tag is well-formed, and Intl knows how its language writes numbers. */
export function isKnownLocale(tag: string): boolean {
  try {
    const locale = reducedLocale(tag);
    // Asking Intl takes longer than drawing an SVG.
    if (locale === 'en' || formatsByLocale.has(locale)) return true;
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

function intlFormats(locale: string): NumberFormats {
  const isEnglish = new Intl.Locale(locale).language === 'en';
  return {
    digits: digitsOf(locale),
    units: isEnglish ? english.units : unitsOf(locale),
    signed: affixesOf(locale, {}),
    percent: affixesOf(locale, { style: 'percent' }),
    factor: 1,
    isCompact: false,
  };
}

function intlCurrencyFormat(localeAndCurrency: string): CurrencyFormat {
  const [locale = '', currency = ''] = localeAndCurrency.split(' ');
  const options = { style: 'currency', currency } as const;
  const { maximumFractionDigits = 0 } = new Intl.NumberFormat(locale, options).resolvedOptions();
  return { signed: affixesOf(locale, options), minorDigits: maximumFractionDigits };
}

/** Most languages write the digits of `english` with separators of their own, which takes less time than Intl. */
function digitsOf(locale: string): NumberFormats['digits'] {
  const formats: Intl.NumberFormat[] = [];
  const byIntl: NumberFormats['digits'] = (size, decimals) => {
    const format = (formats[decimals] ??= new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }));
    return plain(format.format(size));
  };
  const [, group = '', decimal = ''] = /^1(\D)234\D567(\D)8$/.exec(byIntl(1234567.8, 1)) ?? [];
  const bySeparators: NumberFormats['digits'] = (size, decimals) => {
    // The last of more digits would be those of the binary number.
    if (size * 10 ** decimals >= 1e15) return byIntl(size, decimals);
    return english.digits(size, decimals).replace(/[,.]/g, (mark) => (mark === ',' ? group : decimal));
  };
  // Some languages write 1234 without a separator.
  const areSame = [1234, 1234567.8].every((size) => byIntl(size, 1) === bySeparators(size, 1));
  return areSame ? bySeparators : byIntl;
}

/** Adds to digits what Intl writes before and after them in a style: signs, and the spaces around them. */
function affixesOf(
  locale: string,
  options: Intl.NumberFormatOptions,
): (text: string, isNegative?: boolean) => string {
  const format = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: 0 });
  const unitOfStyle = options.style === 'percent' ? 0.01 : 1;
  const [positive, negative] = [
    around(format.formatToParts(unitOfStyle)),
    around(format.formatToParts(-unitOfStyle)),
  ];
  return (text, isNegative = false) => {
    const [before, after] = isNegative ? negative : positive;
    return before + text + after;
  };
}

/** The powers of ten that have a short name in the language, such as 1 Mio. or 1万; in some, 1,000 has none. */
function unitsOf(locale: string): NumberFormats['units'] {
  const format = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 1 });
  const one = integerOf(format.formatToParts(1));
  return Array.from({ length: 10 }, (_, i) => 10 ** (12 - i)).flatMap((unit) => {
    const parts = format.formatToParts(unit);
    if (integerOf(parts) !== one || parts.every(({ type }) => type !== 'compact')) return [];
    const [before, after] = around(parts);
    return [{ unit, write: (text: string) => before + text + after }];
  });
}

function integerOf(parts: readonly Intl.NumberFormatPart[]): string | undefined {
  return parts.find(({ type }) => type === 'integer')?.value;
}

/** The text before and after the digits of a whole number below ten. */
function around(parts: readonly Intl.NumberFormatPart[]): readonly [before: string, after: string] {
  const at = parts.findIndex(({ type }) => type === 'integer');
  const textOf = (some: typeof parts): string => plain(some.map(({ value }) => value).join(''));
  return [textOf(parts.slice(0, at)), textOf(parts.slice(at + 1))];
}

const replacements: Readonly<Record<string, string>> = {
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
  '\u2212': '-',
};

/** Spaces and minus signs that the built-in PDF fonts have, and no marks of direction, which have no glyph. */
export function plain(text: string): string {
  return text.replace(/[\u00a0\u202f\u2009\u2212\u200e\u200f\u061c]/g, (mark) => replacements[mark] ?? '');
}
