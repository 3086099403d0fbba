import { formatLocale } from 'd3-format';

// A hyphen instead of the minus sign, which the built-in PDF fonts lack.
const locale = formatLocale({ decimal: '.', thousands: ',', grouping: [3], currency: ['', ''], minus: '-' });
const upToFourDigits = locale.format(',.4~r');
const threeDigits = locale.format('.3~r');
const grouped = locale.format(',');
const fixed = Array.from({ length: 13 }, (_, decimals) => locale.format(`,.${decimals}f`));

const units = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A number on its own, short: 7, 1,234, 12.3k, 4.56M, 1.8e308. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e15 || size < 1e-4) return value.toExponential(2).replace(/\.?0*e\+?/, 'e');
  if (size < 1e4) return upToFourDigits(value);
  const rounded = Number(value.toPrecision(3));
  const [unit, letter] = unitOf(Math.abs(rounded));
  return threeDigits(rounded / unit) + letter;
}

/** The numbers along an axis, with one unit and number of decimals. They represent `numbers × 10^decade`. */
export function axisNumbers(numbers: readonly number[], step: number, decade: number): string[] {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (decade !== 0 || largest >= 1e15 || largest < 1e-3) return scientific(numbers, step, largest, decade);
  const [unit, letter] = unitOf(largest);
  const write = fixed[decimalsOf(step / unit)] ?? grouped;
  return numbers.map((number) => (number === 0 ? '0' : write(number / unit) + letter));
}

/** A share of a whole: 25%, 4.2%, <0.1%. */
export function percentage(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  // Only the whole is 100%.
  if (percent >= 99.5 && percent < 100) return `${Math.floor(percent * 10) / 10}%`;
  return `${percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)}%`;
}

/** A whole number with separators: 10,000. */
export function count(value: number): string {
  return grouped(value);
}

function scientific(numbers: readonly number[], step: number, largest: number, decade: number): string[] {
  const exponent = Math.floor(Math.log10(largest) + 1e-9);
  const write = fixed[decimalsOf(step / 10 ** exponent)] ?? grouped;
  return numbers.map((number) =>
    number === 0 ? '0' : `${write(number / 10 ** exponent)}e${exponent + decade}`,
  );
}

/** Numbers below 10,000 are written in full. */
function unitOf(size: number): readonly [unit: number, letter: string] {
  return (size < 1e4 ? undefined : units.find(([unit]) => size >= unit)) ?? [1, ''];
}

function decimalsOf(step: number): number {
  return Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}
