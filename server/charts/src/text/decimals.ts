import { max } from 'd3-array';

/** The most decimals of a number. */
const decimalsMax = 12;

// The largest rounding error, as a share of the number.
const errorMax = 0.05;

/**
 * The number of decimals for all sizes together:
 * - the largest size has about `significant` digits;
 * - the smallest size keeps its first digits;
 * - a hundredth of the range between the values is visible;
 * - zeros at the end of all sizes are left out.
 *
 * Infinity if the sizes are too far apart.
 */
export function decimalsFor(sizes: readonly number[], range: number, significant: number): number {
  if (sizes.every(Number.isInteger)) return 0;
  const largest = max(sizes) ?? 0;
  // Rounding may add a digit: 9.996 with three digits is 10.0.
  const byLargest = significant - 1 - magnitude(largest / (1 - 0.5 / (powers[significant] ?? 1)));
  const byRange = range > 0 ? -magnitude(range / 100) : 0;
  let decimals = clamped(Math.max(byLargest, byRange));
  for (const size of sizes) {
    while (!keepsFirstDigits(size, decimals)) {
      if (decimals === decimalsMax) return Infinity;
      decimals++;
    }
  }
  const isEnough = (fewer: number): boolean =>
    sizes.every((size) => rounded(size, fewer) === rounded(size, decimals));
  let fewest = 0;
  while (fewest < decimals && !isEnough(fewest)) fewest++;
  return fewest;
}

/** Returns true if the rounding error is small. */
export function keepsFirstDigits(size: number, decimals: number): boolean {
  return Math.abs(rounded(size, decimals) - size) <= size * errorMax;
}

/** The number of decimals that the multiples of a tick's step need. */
export function decimalsOfStep(step: number): number {
  const decimals = clamped(-magnitude(step));
  // A step such as 2.5 needs one decimal more than its first digit.
  return Number.isInteger(denoised(step * (powers[decimals] ?? 1))) ? decimals : clamped(decimals + 1);
}

/** A number without the digits that binary fractions add, as in 0.1 + 0.2. */
export function denoised(value: number): number {
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 10 ** decimalsMax) return value;
  // `powers` has exact powers of ten, so a division by `power` rounds correctly. It is faster than `toPrecision`.
  const power = powers[decimalsMax - 1 - magnitude(size)];
  return power === undefined ? Number(value.toPrecision(decimalsMax)) : Math.round(value * power) / power;
}

/** Rounds halves up, even 1.005, which is a little smaller in binary. */
export function rounded(size: number, decimals: number): number {
  if (Number.isInteger(size)) return size;
  const power = powers[decimals] ?? 1;
  const scaled = size * power;
  return scaled < 1e15 ? Math.round(scaled * (1 + 1e-15)) / power : size;
}

const powers = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The power of ten of the first digit: 2 for 345. */
export function magnitude(size: number): number {
  return Math.floor(Math.log10(size) + 1e-9);
}

function clamped(decimals: number): number {
  return Math.min(decimalsMax, Math.max(0, decimals));
}
