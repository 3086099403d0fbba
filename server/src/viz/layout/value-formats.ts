import type { Schemas } from '../../operation.ts';
import { displayed } from '../chart-text.ts';
import { currencyFormatOf, numberFormatsOf } from './intl-formats.ts';
import type { NumberFormats } from './number-formats.ts';

type Wishes = Pick<Schemas['ChartRequest'], 'locale' | 'format' | 'currency' | 'unit' | 'decimals'>;

/** How a request wants its values written. */
export function valueFormatsOf({ locale, format, currency, unit = '', decimals }: Wishes): NumberFormats {
  const language = numberFormatsOf(locale);
  if (format === undefined && unit === '' && decimals === undefined) return language;
  const amount =
    format === 'currency' && currency !== undefined ? currencyFormatOf(locale, currency) : undefined;
  const signed = amount?.signed ?? (format === 'percent' ? language.percent : language.signed);
  const ending = endingOf(unit);
  const isCompact = format === 'compact';
  const isFull = format === 'number' || format === 'percent' || decimals !== undefined;
  return {
    ...language,
    units: isFull && !isCompact ? [] : language.units,
    signed: (text, isNegative) => signed(text, isNegative) + ending,
    factor: format === 'percent' ? 100 : 1,
    isCompact,
    decimals,
    minorDigits: amount?.minorDigits,
  };
}

/** The unit of the request, with a space before it if the request has one there. */
function endingOf(unit: string): string {
  const text = displayed(unit);
  return text !== '' && /^\s/.test(unit) ? ` ${text}` : text;
}
