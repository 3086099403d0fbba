import { sum } from 'd3-array';
import { english, type NumberFormats } from './number-formats.ts';

/**
 * The shares of a whole as texts, which are equal for equal shares. They add up to 100% unless equal shares or shares
 * below 0.1% prevent it. If whole numbers would mislead, all shares have one decimal.
 */
export function percentages(shares: readonly number[], formats: NumberFormats = english): string[] {
  const whole = apportioned(shares, 100);
  const [parts, decimals] = misleads(shares, whole) ? [apportioned(shares, 1000), 1] : [whole, 0];
  return parts.map((part, i) => {
    if (shares[i] === 0) return formats.percent(formats.digits(0, 0));
    if (part === 0) return `<${formats.percent(formats.digits(0.1, 1))}`;
    return formats.percent(formats.digits(part / 10 ** decimals, decimals));
  });
}

/**
 * Rounds the shares of `total`. As long as the sum is not `total`, the largest rounding error is made one in the other
 * direction, for all equal shares at once. A share below 1 never gets all of it.
 */
function apportioned(shares: readonly number[], total: number): number[] {
  const parts = shares.map((share) => Math.round(share * total));
  let excess = sum(parts) - total;
  if (excess !== 0) {
    const step = Math.sign(excess);
    const errorOf = (share: number): number => (Math.round(share * total) - share * total) * step;
    const groups = [...Map.groupBy(shares.keys(), (i) => shares[i] ?? 0)];
    for (const [share, group] of groups.sort(([a], [b]) => errorOf(b) - errorOf(a))) {
      if (group.length > Math.abs(excess) || errorOf(share) <= 0) continue;
      for (const i of group) parts[i] = (parts[i] ?? 0) - step;
      excess -= step * group.length;
    }
  }
  return parts.map((part, i) => (part === total && isPart(shares[i]) ? total - 1 : part));
}

function isPart(share = 1): boolean {
  return share < 1 - 1e-12;
}

/**
 * Returns true if the sum is not 100, or a share reads 0, is not rounded to the nearest number, or reads like a share that is half a point
 * larger.
 */
function misleads(shares: readonly number[], parts: readonly number[]): boolean {
  if (sum(parts) !== 100) return true;
  return shares.some((share, i) => {
    const part = parts[i] ?? 0;
    if ((part === 0 && share > 0) || Math.abs(share * 100 - part) > 0.5 + 1e-9) return true;
    return shares.some((other, j) => parts[j] === part && other - share >= 0.005);
  });
}
