/** The most decimals that a number is written with. */
export const decimalsMax = 12;

// Rounding may change a number by this share of it.
const errorMax = 0.05;

/**
 * The number of decimals for all sizes together. The largest size has about `significant` digits, the smallest keeps its
 * first ones, and a hundredth of the range between the values is visible. Zeros at the end of every size are left out.
 * Infinity if the sizes are too far apart.
 */
export function decimalsFor(sizes: readonly number[], range: number, significant: number): number {
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const byLargest = significant - 1 - magnitude(Number(largest.toPrecision(significant)));
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
  while (decimals > 0 && isEnough(decimals - 1)) decimals--;
  return decimals;
}

export function keepsFirstDigits(size: number, decimals: number): boolean {
  return Math.abs(rounded(size, decimals) - size) <= size * errorMax;
}

/** The decimals of a multiple of a tick's step. */
export function decimalsOfStep(step: number): number {
  return clamped(-magnitude(step));
}

/** A sum such as 0.1 + 0.2 without the digits that come from binary fractions. */
export function denoised(value: number): number {
  return Number(value.toPrecision(decimalsMax));
}

export function rounded(size: number, decimals: number): number {
  return Number(size.toFixed(decimals));
}

/** The exponent of the first digit. */
export function magnitude(size: number): number {
  return Math.floor(Math.log10(size) + 1e-9);
}

function clamped(decimals: number): number {
  return Math.min(decimalsMax, Math.max(0, decimals));
}
