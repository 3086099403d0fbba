import { english, type NumberFormats } from './number-formats.ts';

/** A number on its own, short: 7, 1,234, 12.3k, 4.56M, 1.8e308. */
export function shortNumber(value: number, formats: NumberFormats = english): string {
  const size = Math.abs(value);
  if (size === 0) return formats.grouped(0);
  if (size >= 1e15 || size < 1e-4) return exponential(value, formats);
  if (size < 1e4) return formats.upToFourDigits(value);
  const rounded = Number(value.toPrecision(3));
  const { unit, write } = unitOf(Math.abs(rounded), formats);
  // Some languages have no short name for a thousand.
  return unit === 1 ? formats.grouped(Math.round(value)) : write(formats.threeDigits(rounded / unit));
}

/** The numbers along an axis, with one unit and number of decimals. They represent `numbers × 10^decade`. */
export function axisNumbers(
  numbers: readonly number[],
  step: number,
  decade: number,
  formats: NumberFormats = english,
): string[] {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (decade !== 0 || largest >= 1e15 || largest < 1e-3)
    return scientific(numbers, step, largest, decade, formats);
  const { unit, write } = unitOf(largest, formats);
  const decimals = decimalsOf(step / unit);
  return numbers.map((number) =>
    number === 0 ? formats.grouped(0) : write(formats.fixed(number / unit, decimals)),
  );
}

/** A share of a whole: 25%, 4.2%, <0.1%. */
export function percentage(share: number, formats: NumberFormats = english): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `<${formats.percent(0.1)}`;
  // Only the whole is 100%.
  if (percent >= 99.5 && percent < 100) return formats.percent(Math.floor(percent * 10) / 10);
  return formats.percent(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent));
}

/** A whole number with separators: 10,000. */
export function count(value: number, formats: NumberFormats = english): string {
  return formats.grouped(value);
}

function exponential(value: number, formats: NumberFormats): string {
  const [mantissa = '', exponent = ''] = value.toExponential(2).split('e');
  return `${formats.upToFourDigits(Number(mantissa))}e${exponent.replace('+', '')}`;
}

function scientific(
  numbers: readonly number[],
  step: number,
  largest: number,
  decade: number,
  formats: NumberFormats,
): string[] {
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  const decimals = decimalsOf(step / 10 ** exponent);
  return numbers.map((number) =>
    number === 0
      ? formats.grouped(0)
      : `${formats.fixed(number / 10 ** exponent, decimals)}e${exponent + decade}`,
  );
}

/** Numbers below 10,000 are written in full. */
function unitOf(size: number, { units }: NumberFormats): NumberFormats['units'][number] {
  return (
    (size < 1e4 ? undefined : units.find(({ unit }) => size >= unit)) ?? { unit: 1, write: (text) => text }
  );
}

function decimalsOf(step: number): number {
  return Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}
