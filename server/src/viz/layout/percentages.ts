import { sum } from 'd3-array';
import { english, type NumberFormats } from './number-formats.ts';

/**
 * The shares of a whole as texts that add up to 100%, or to 99.9% if some shares are below 0.1%. If whole numbers would
 * mislead, all shares have one decimal.
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

/** Divides `total` by the largest remainder method. A share below 1 never gets all of it. */
function apportioned(shares: readonly number[], total: number): number[] {
  const parts = shares.map((share) => Math.floor(share * total));
  const remainders = shares.map((share, i) => share * total - (parts[i] ?? 0));
  const missing = total - sum(parts);
  const byRemainder = [...parts.keys()].sort((a, b) => (remainders[b] ?? 0) - (remainders[a] ?? 0) || a - b);
  for (const i of byRemainder.slice(0, missing)) parts[i] = (parts[i] ?? 0) + 1;
  return parts.map((part, i) => (part === total && isPart(shares[i]) ? total - 1 : part));
}

function isPart(share = 1): boolean {
  return share < 1 - 1e-12;
}

/**
 * Returns true if a share reads 0, is not rounded to the nearest number, or reads like a share that is half a point
 * larger.
 */
function misleads(shares: readonly number[], parts: readonly number[]): boolean {
  return shares.some((share, i) => {
    const part = parts[i] ?? 0;
    if ((part === 0 && share > 0) || Math.abs(share * 100 - part) > 0.5 + 1e-9) return true;
    return shares.some((other, j) => parts[j] === part && other - share >= 0.005);
  });
}
