import { decimalsFor, decimalsOfStep, denoised, magnitude, rounded } from './decimals.ts';
import { english, type NumberFormats, type Unit } from './number-formats.ts';
import { textWidth } from './text-width.ts';

/** How all values of a chart are written: with one unit and one number of decimals. */
export interface Notation {
  readonly unit: number;
  readonly write: (value: number) => string;
}

const one: Unit = { unit: 1, write: (text) => text };
// Beyond these sizes numbers are powers of ten: 1.5e15, 2e-5.
const [smallestWritten, largestWritten] = [1e-4, 1e15];
// Smaller numbers have no unit.
const smallestWithUnit = 1e4;
// 1,000.1k and 1.0001M are no easier to read than 1,000,100.
const [unitDigitsMax, unitDecimalsMax] = [4, 2];
// A unit has to save this share of the width.
const unitSaves = 0.05;

/**
 * A unit is used where it makes the widest text shorter and different values stay different. Values that are too far
 * apart for one number of decimals are written each on its own.
 */
export function notationOf(values: readonly number[], formats: NumberFormats = english): Notation {
  const sizes = [...new Set(values.map((value) => Math.abs(denoised(value))))].filter((size) => size > 0);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const own = { unit: 1, write: (value: number) => shortNumber(value, formats) };
  if (largest === 0) return notation(one, 0, formats);
  if (!isWritten(largest)) return scientific(sizes, largest, formats) ?? own;
  const range = rangeOf(values);
  const decimals = decimalsFor(sizes, range, 4);
  if (values.length > 1 && magnitude(largest) + decimals >= 15) return own;
  const full = notation(one, decimals, formats);
  if (largest < smallestWithUnit) return full;
  const withUnits = unitsUpTo(Number(largest.toPrecision(3)), formats).flatMap((unit) => {
    const divided = sizes.map((size) => size / unit.unit);
    const decimals = decimalsFor(divided, range / unit.unit, 3);
    return isReadable(largest / unit.unit, decimals) && areDifferent(divided, decimals)
      ? [notation(unit, decimals, formats)]
      : [];
  });
  return withUnits.find((some) => isShorter(some, full, values)) ?? full;
}

/** A number on its own, short: 7, 1,234, 12.3k, 4.56M, 1.8e308. */
export function shortNumber(value: number, formats: NumberFormats = english): string {
  return notationOf([value], formats).write(value);
}

/**
 * The numbers along an axis, with one unit and number of decimals. They represent `numbers × 10^decade`. The unit of the
 * values is preferred.
 */
export function axisNumbers(
  numbers: readonly number[],
  step: number,
  decade: number,
  formats: NumberFormats = english,
  valuesUnit?: number,
): string[] {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (largest > 0 && (decade !== 0 || !isWritten(largest))) {
    const exponent = magnitude(largest);
    const { write } = power(exponent, decimalsOfStep(step / 10 ** exponent), formats, decade);
    return numbers.map(write);
  }
  const full = notation(one, decimalsOfStep(step), formats);
  if (valuesUnit === 1) return numbers.map(full.write);
  const withUnits = (largest < smallestWithUnit ? [] : unitsUpTo(largest, formats))
    .filter(({ unit }) => isReadable(largest / unit, decimalsOfStep(step / unit)))
    .map((unit) => notation(unit, decimalsOfStep(step / unit.unit), formats));
  const { write } =
    withUnits.find(({ unit }) => unit === valuesUnit) ??
    withUnits.find((some) => isShorter(some, full, numbers)) ??
    full;
  return numbers.map(write);
}

/** A whole number with separators: 10,000. */
export function count(value: number, formats: NumberFormats = english): string {
  return formats.digits(value, 0);
}

function notation(unit: Unit, decimals: number, formats: NumberFormats): Notation {
  return {
    unit: unit.unit,
    write: (value) => {
      const size = rounded(Math.abs(value) / unit.unit, decimals);
      if (size === 0) return formats.digits(0, 0);
      return formats.signed(unit.write(formats.digits(size, decimals)), value < 0);
    },
  };
}

/** Numbers as multiples of one power of ten, where that takes few decimals. */
function scientific(sizes: readonly number[], largest: number, formats: NumberFormats): Notation | undefined {
  const exponent = Number(largest.toExponential(2).split('e')[1]);
  const mantissas = sizes.map((size) => mantissa(size, exponent));
  const decimals = decimalsFor(mantissas, rangeOf(mantissas), 3);
  return decimals > 4 ? undefined : power(exponent, decimals, formats);
}

function power(exponent: number, decimals: number, formats: NumberFormats, decade = 0): Notation {
  return {
    unit: 10 ** exponent,
    write: (value) => {
      const size = mantissa(Math.abs(value), exponent);
      if (size === 0) return formats.digits(0, 0);
      return formats.signed(`${formats.digits(size, decimals)}e${exponent + decade}`, value < 0);
    },
  };
}

/** The size divided by a power of ten that may itself be too large or too small for a number. */
function mantissa(size: number, exponent: number): number {
  const [digits = '0', own = '0'] = size.toExponential().split('e');
  return Number(`${digits}e${Number(own) - exponent}`);
}

function isWritten(size: number): boolean {
  return size >= smallestWritten && size < largestWritten;
}

function unitsUpTo(size: number, { units }: NumberFormats): readonly Unit[] {
  return units.filter(({ unit }) => unit <= size);
}

function areDifferent(sizes: readonly number[], decimals: number): boolean {
  return new Set(sizes.map((size) => rounded(size, decimals))).size === sizes.length;
}

function rangeOf(values: readonly number[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return denoised(high - low);
}

function isReadable(largest: number, decimals: number): boolean {
  return decimals <= unitDecimalsMax && magnitude(largest) + 1 + decimals <= unitDigitsMax;
}

function isShorter(some: Notation, full: Notation, values: readonly number[]): boolean {
  const width = ({ write }: Notation): number =>
    values.reduce((most, value) => Math.max(most, textWidth(write(value), 1)), 0);
  return width(some) <= width(full) * (1 - unitSaves);
}
