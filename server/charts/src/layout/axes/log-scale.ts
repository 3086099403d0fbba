import { nice, range, ticks } from 'd3-array';
import type { NumberFormats } from '../../text/number-formats.ts';
import { shortNumber } from '../../text/numbers.ts';
import { ticksMax, type Limits, type ValueScale } from './value-scale.ts';

// If the ratio of the values at the ends is below this, ticks differ by equal amounts, as on a linear axis.
const ratioOfDecades = 3;
const strides = [1, 2, 3, 5, 10, 20, 50, 100, 200] as const;

/** A logarithmic scale. Its ends are `min` and `max`, or else round numbers. */
export function logScale(
  low: number,
  high: number,
  count: number,
  formats: NumberFormats,
  { min, max }: Limits = {},
): ValueScale {
  // Without positive values, any decade will do.
  const from = low > 0 ? low : high > 0 ? high / 10 : 1;
  const to = Math.max(high, from * (1 + 1e-9));
  const isInside = (mark: number): boolean =>
    (min === undefined || mark >= min) && (max === undefined || mark <= max);
  const marks = marksOf(from, to, Math.min(ticksMax, count + 1), isInside);
  const bottom = Math.log10(min ?? Math.min(from, marks[0] ?? from));
  const top = Math.log10(max ?? Math.max(to, marks.at(-1) ?? to));
  // Numbers on this axis differ much in size, so each has its own unit and decimals.
  const own = { ...formats, decimals: undefined };
  return {
    isLog: true,
    decade: 0,
    low: bottom,
    high: top,
    ticks: marks.map((mark) => ({
      at: (Math.log10(mark) - bottom) / (top - bottom),
      text: shortNumber(mark, own),
    })),
    showsZero: false,
  };
}

/** Round numbers around a range, from the first of several sequences that is short enough. */
function marksOf(
  from: number,
  to: number,
  countMax: number,
  isInside: (mark: number) => boolean,
): readonly number[] {
  const even = to / from < ratioOfDecades ? ticks(...nice(from, to, countMax - 2), countMax - 2) : [];
  const sequences = [
    even[0] === 0 ? [] : even,
    around(from, to, [1, 2, 5], 1),
    ...strides.map((stride) => around(from, to, [1], stride)),
  ];
  const inside = sequences.map((marks) => marks.filter(isInside));
  return inside.find(({ length }) => length > 1 && length <= countMax) ?? inside[1] ?? [];
}

/** The `digits` times every `stride`-th power of ten, from the last below the range to the first above it. */
function around(from: number, to: number, digits: readonly number[], stride: number): readonly number[] {
  const first = Math.floor(Math.log10(from) / stride) * stride;
  const powers = range(first, Math.log10(to) + 2 * stride, stride);
  const marks = powers
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((mark) => mark > 0 && Number.isFinite(mark));
  const start = marks.findLastIndex((mark) => mark <= from * (1 + 1e-9));
  const end = marks.findIndex((mark) => mark >= to * (1 - 1e-9));
  return marks.slice(Math.max(0, start), end === -1 ? undefined : end + 1);
}
