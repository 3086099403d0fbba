import { LRUCache } from 'lru-cache';
import type { FullRequest } from '../request/request.ts';
import { displayed } from '../request/chart-text.ts';

/** How to write numbers, in a language and as the request says. */
export interface NumberFormats {
  /** Writes a number without a sign, with separators and this many decimals. */
  readonly digits: (size: number, decimals: number) => string;
  /** The units that may shorten a number, the largest first. */
  readonly units: readonly Unit[];
  /** Adds the sign, and the currency or unit of the request. */
  readonly signed: (text: string, isNegative: boolean) => string;
  /** Adds a percent sign. */
  readonly percent: (text: string, isNegative?: boolean) => string;
  /** The factor by which values are multiplied: 100 for percentages, 1e-6 if the unit under the title is millions. */
  readonly factor: number;
  /** True if short units are used even if they hide differences. */
  readonly isCompact: boolean;
  /** True if each value has its own unit and decimals, because values on a logarithmic axis differ much in size. */
  readonly hasOwnUnits?: boolean;
  /** The number of decimals that the request asks for. */
  readonly decimals?: number | undefined;
  /** The decimals of an amount that is not whole, for example 2 for EUR. */
  readonly minorDigits?: number | undefined;
}

/** A power of ten with a short name, such as a thousand, 1k. */
export interface Unit {
  readonly unit: number;
  /** Adds the unit to a number that has been divided by it. */
  readonly write: (text: string) => string;
}

export const minus = '\u2212';

/** English formats, written here because Intl is several times slower. */
export const english: NumberFormats = {
  digits: (size, decimals) => {
    let text = decimals === 0 && Number.isInteger(size) ? String(size) : exactDigits(size, decimals);
    const whole = decimals === 0 ? text.length : text.length - decimals - 1;
    for (let at = whole - 3; at > 0; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
    return text;
  },
  units: [
    { unit: 1e12, write: (text) => `${text}T` },
    { unit: 1e9, write: (text) => `${text}B` },
    { unit: 1e6, write: (text) => `${text}M` },
    { unit: 1e3, write: (text) => `${text}k` },
  ],
  signed: (text, isNegative) => (isNegative ? `${minus}${text}` : text),
  percent: (text, isNegative = false) => `${isNegative ? minus : ''}${text}%`,
  factor: 1,
  isCompact: false,
};

/** At most 15 digits, then zeros. Further digits would be artefacts of binary numbers. */
function exactDigits(size: number, decimals: number): string {
  const exact = Math.min(decimals, Math.max(1, 14 - Math.floor(Math.log10(size))));
  return size.toFixed(exact) + '0'.repeat(decimals - exact);
}

type Wishes = Pick<FullRequest, 'locale' | 'format' | 'currency' | 'unit' | 'decimals'>;

/** The formats for the values of a request. */
export function valueFormatsOf({ locale, format, currency, unit = '', decimals }: Wishes): NumberFormats {
  const isAmount = format === 'currency' && currency !== undefined;
  const language = isAmount ? intlFormats.memo(`${locale} ${currency}`) : numberFormatsOf(locale);
  if (format === undefined && unit === '' && decimals === undefined) return language;
  const signed = format === 'percent' ? language.percent : language.signed;
  // White space before the unit becomes one space. A unit that the format writes is not repeated, as in 25%%.
  const isWritten = signed('', false).trim() === displayed(unit).trim();
  const ending = isWritten ? '' : (/^\s/.test(unit) ? ' ' : '') + displayed(unit);
  const isCompact = format === 'compact';
  const isFull = format === 'number' || format === 'percent' || decimals !== undefined;
  return {
    ...language,
    units: isFull && !isCompact ? [] : language.units,
    signed: (text, isNegative) => signed(text, isNegative) + ending,
    factor: format === 'percent' ? 100 : 1,
    isCompact,
    decimals,
  };
}

// Caches, because making the formats of a locale takes as long as drawing a chart. A time axis needs 200 kB of formats.
export const storedMax = 40;
const intlFormats = new LRUCache({ max: storedMax, memoMethod: intlFormatsOf });

/** The formats of a canonical locale. */
export function numberFormatsOf(locale: string): NumberFormats {
  return locale === 'en' ? english : intlFormats.memo(`${locale} `);
}

/** Returns true if Intl knows the ISO 4217 code. */
export function isKnownCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** Returns true if a tag is well-formed, and Intl knows how its language writes numbers. */
export function isKnownLocale(tag: string): boolean {
  try {
    // Asking Intl takes longer than drawing an SVG.
    if (tag === 'en' || intlFormats.has(`${tag} `)) return true;
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

function intlFormatsOf(localeAndCurrency: string): NumberFormats {
  const [locale = '', currency = ''] = localeAndCurrency.split(' ');
  if (currency !== '') {
    const options = { style: 'currency', currency } as const;
    const { maximumFractionDigits: minorDigits } = new Intl.NumberFormat(locale, options).resolvedOptions();
    return { ...numberFormatsOf(locale), signed: affixesOf(locale, options), minorDigits };
  }
  return {
    digits: digitsOf(locale),
    units: new Intl.Locale(locale).language === 'en' ? english.units : unitsOf(locale),
    signed: affixesOf(locale, {}),
    percent: affixesOf(locale, { style: 'percent' }),
    factor: 1,
    isCompact: false,
  };
}

function digitsOf(locale: string): NumberFormats['digits'] {
  const formats: Intl.NumberFormat[] = [];
  return (size, decimals) => {
    const format = (formats[decimals] ??= new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }));
    return plain(format.format(size));
  };
}

/** Returns a function that adds the signs and spaces that Intl writes around digits in a style. */
function affixesOf(
  locale: string,
  options: Intl.NumberFormatOptions,
): (text: string, isNegative?: boolean) => string {
  const format = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: 0 });
  const unitOfStyle = options.style === 'percent' ? 0.01 : 1;
  const [positive, negative] = [around(unitOfStyle, format), around(-unitOfStyle, format)];
  return (text, isNegative = false) => (isNegative ? negative : positive)(text);
}

/** The powers of ten that have a short name in the language, such as 1 Mio. or 1万. Some languages lack 1,000. */
function unitsOf(locale: string): NumberFormats['units'] {
  const format = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 1 });
  const one = format.format(1);
  return Array.from({ length: 10 }, (_, i) => 10 ** (12 - i))
    .map((unit) => ({ unit, write: around(unit, format) }))
    .filter(({ unit, write }) => write('') !== '' && write(one) === plain(format.format(unit)));
}

/** Returns a function that adds to digits the text that a format writes before and after the integer of a number. */
function around(number: number, format: Intl.NumberFormat): (text: string) => string {
  const parts = format.formatToParts(number);
  const at = parts.findIndex(({ type }) => type === 'integer');
  const textOf = (some: typeof parts): string =>
    plain(some.map(({ type, value }) => (type === 'minusSign' ? minus : value)).join(''));
  const [before, after] = [textOf(parts.slice(0, at)), textOf(parts.slice(at + 1))];
  return (text) => before + text + after;
}

/** Replaces spaces that the built-in PDF fonts lack, and removes direction marks. */
export function plain(text: string): string {
  return text.replace(/[\u00a0\u202f\u2009]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');
}
