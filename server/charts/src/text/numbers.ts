import { extent, max } from 'd3-array';
import { decimalsFor, decimalsOfStep, denoised, keepsFirstDigits, magnitude, rounded } from './decimals.ts';
import { english, type NumberFormats, type Unit } from './number-formats.ts';
import { widest } from './text-width.ts';

/** How to write all values of a chart: with one unit and one number of decimals, if they have any in common. */
interface Notation {
  /** Undefined if each value is written with a unit of its own. */
  readonly unit: number | undefined;
  readonly write: (value: number) => string;
}

const one: Unit = { unit: 1, write: (text) => text };
// Smaller and larger numbers are written with powers of ten: 1.5e15, 2e-5.
const [smallestWritten, largestWritten] = [1e-4, 1e15];
// With more digits than these, a unit does not help: 1,000.1k is as hard to read as 1,000,100.
const [unitDigitsMax, unitDecimalsMax] = [4, 2];
/** A unit with more letters than this is written only once, not after each number of the chart. */
export const repeatedMax = 2;
// A unit must save at least this share of the width.
const unitSaves = 0.05;

/**
 * How to write values together. They get a unit if it makes the widest text shorter and keeps different values
 * different. If the values are too far apart for a common number of decimals, each is written on its own.
 */
export function notationOf(values: readonly number[], formats: NumberFormats = english): Notation {
  const sizes = [...new Set(values.map((value) => Math.abs(denoised(value * formats.factor))))].filter(
    (size) => size > 0,
  );
  const largest = max(sizes) ?? 0;
  const [low = 0, high = 0] = extent(values);
  const range = denoised(high - low) * formats.factor;
  const own = { unit: undefined, write: (value: number) => shortNumber(value, formats) };
  const isOwnDistinct = (): boolean => new Set(values.map(own.write)).size === new Set(values).size;
  if (formats.hasOwnUnits && values.length > 1 && isOwnDistinct()) return own;
  if (largest === 0) return notation(one, 0, formats);
  if (!isWritten(largest)) {
    if (values.length > 1 && isOwnDistinct()) return own;
    // Digits that show a hundredth of the range, but at least three.
    const digits = values.length > 1 ? Math.max(3, magnitude(largest) - magnitude(range) + 3) : 3;
    return { unit: undefined, write: (value) => scientific(value, formats, digits) };
  }
  const shownRange = formats.isCompact ? 0 : range;
  const decimals = decimalsInFull(sizes, shownRange, formats);
  if (values.length > 1 && magnitude(largest) + decimals >= 15) return own;
  const full = notation(one, decimals, formats);
  if (largest < smallestWithUnit(formats)) return full;
  for (const unit of formats.units) {
    if (unit.unit > Number(largest.toPrecision(3))) continue;
    const divided = sizes.map((size) => size / unit.unit);
    // East Asian units count ten thousands, so that numbers with them are larger: 128.4万, not 128万.
    const digits = unit.unit % 1e4 === 0 && largest >= unit.unit * 100 ? 4 : 3;
    const decimals = formats.decimals ?? decimalsFor(divided, shownRange / unit.unit, digits);
    if (!isUseful(divided, decimals, formats)) continue;
    const withUnit = notation(unit, decimals, formats);
    if (formats.isCompact || isShorter(withUnit, full, values)) return withUnit;
  }
  return formats.isCompact && values.length > 1 ? own : full;
}

/** A single number in short form: 7, 1,234, 12.3k, 4.56M, 1.8e308. */
export function shortNumber(value: number, formats: NumberFormats = english): string {
  return notationOf([value], formats).write(value);
}

/** The numbers on an axis, with a common unit and number of decimals. The unit of the chart's values is preferred. */
export function axisNumbers(
  numbers: readonly number[],
  step: number,
  formats: NumberFormats = english,
  valuesUnit?: number,
): string[] {
  const largest = (max(numbers, Math.abs) ?? 0) * formats.factor;
  if (largest > 0 && !isWritten(largest)) return numbers.map((number) => scientific(number, formats));
  const decimalsIn = (unit: number): number => decimalsOfStep((step * formats.factor) / unit);
  const full = notation(one, Math.max(minorOr(decimalsIn(1), formats), formats.decimals ?? 0), formats);
  if (valuesUnit === 1) return numbers.map(full.write);
  const isLarge = largest >= smallestWithUnit(formats);
  const withUnits = formats.units
    .filter(({ unit }) => (isLarge && unit <= largest) || unit === valuesUnit)
    .filter(({ unit }) => isReadable(largest / unit, decimalsIn(unit)))
    .map((unit) => notation(unit, Math.max(decimalsIn(unit.unit), formats.decimals ?? 0), formats));
  const { write } =
    withUnits.find(({ unit }) => unit === valuesUnit) ??
    withUnits.find((some) => formats.isCompact || isShorter(some, full, numbers)) ??
    full;
  return numbers.map(write);
}

/** A value in full: 1,234.5. */
export function fullNumber(value: number, formats: NumberFormats = english): string {
  const size = Math.abs(denoised(value * formats.factor));
  if (size > 0 && !isWritten(size)) return shortNumber(value, formats);
  return written(value, one, formats.decimals ?? minorOr(decimalsFor([size], 0, 12), formats), formats);
}

function notation(unit: Unit, decimals: number, formats: NumberFormats): Notation {
  return { unit: unit.unit, write: (value) => written(value, unit, decimals, formats) };
}

function written(value: number, { unit, write }: Unit, decimals: number, formats: NumberFormats): string {
  const { digits, signed, factor } = formats;
  const size = rounded(denoised((Math.abs(value) * factor) / unit), decimals);
  // 0, not 0k.
  return size > 0 ? signed(write(digits(size, decimals)), value < 0) : signed(digits(0, 0), false);
}

/** If ticks share a unit that is too long to repeat, such as "Mio. €", only the last tick that is not 0 keeps it. */
export function withUnitOnce<Tick extends { readonly value: number; readonly text: string }>(
  ticks: readonly Tick[],
): readonly Tick[] {
  const last = ticks.findLastIndex(({ value }) => value !== 0);
  const [unit = ''] = endingUnit.exec(ticks[last]?.text ?? '') ?? [];
  const isCommon = ticks.every(({ value, text }) => value === 0 || text.endsWith(unit));
  if (unit.trim().length <= repeatedMax || !isCommon) return ticks;
  return ticks.map((tick, i) => (i === last ? tick : { ...tick, text: tick.text.replace(endingUnit, '') }));
}

const endingUnit = /\P{Nd}*$/u;

/** Amounts below 10,000 have all decimals of their currency, unless they are whole. */
function decimalsInFull(sizes: readonly number[], range: number, formats: NumberFormats): number {
  if (formats.decimals !== undefined) return formats.decimals;
  const { minorDigits, factor } = formats;
  // With a factor below 1, a unit under the title divides the numbers. Differences below a hundredth of it are hidden.
  const decimals = decimalsFor(sizes, factor < 1 ? Math.max(range, 1) : range, factor < 1 ? 3 : 4);
  const largest = max(sizes) ?? 0;
  if (minorDigits === undefined || sizes.every(Number.isInteger)) return decimals;
  if (largest >= smallestWithUnit(formats)) return minorOr(decimals, formats);
  return largest < 1 ? Math.max(decimals, minorDigits) : minorDigits;
}

/** A number of decimals or, unless it is 0, the usual number of the currency if that is larger. */
function minorOr(decimals: number, { minorDigits = 0 }: NumberFormats): number {
  return decimals === 0 ? 0 : Math.max(decimals, minorDigits);
}

/** A number as a power of ten with at most this many digits. */
function scientific(value: number, { digits, signed, factor }: NumberFormats, most = 12): string {
  const [size = 0, exponent = 0] = Math.abs(value)
    .toExponential(most - 1)
    .split('e')
    .map(Number);
  if (size === 0) return signed(digits(0, 0), false);
  const power = exponent + Math.log10(factor);
  return signed(`${digits(size, decimalsFor([size], 0, most))}e${power}`, value < 0);
}

function isWritten(size: number): boolean {
  return size >= smallestWritten && size < largestWritten;
}

/** The smallest number that may have a unit. */
function smallestWithUnit({ isCompact }: NumberFormats): number {
  return isCompact ? 1e3 : 1e4;
}

/** Returns true if a number of decimals shows sizes that have been divided by a unit. */
function isUseful(sizes: readonly number[], decimals: number, formats: NumberFormats): boolean {
  if (formats.decimals !== undefined) return sizes.every((size) => keepsFirstDigits(size, decimals));
  const areDifferent = new Set(sizes.map((size) => rounded(size, decimals))).size === sizes.length;
  return isReadable(max(sizes) ?? 0, decimals) && (formats.isCompact || areDifferent);
}

function isReadable(largest: number, decimals: number): boolean {
  return decimals <= unitDecimalsMax && magnitude(largest) + 1 + decimals <= unitDigitsMax;
}

function isShorter(some: Notation, full: Notation, values: readonly number[]): boolean {
  const width = ({ write }: Notation): number => widest(values.map(write), 1);
  return width(some) <= width(full) * (1 - unitSaves);
}
