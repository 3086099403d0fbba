import type { Outcome } from './load-process.ts';

/** A markdown table; numbers stand on the right. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = headings.map((_, i) => (i === 0 ? '---' : '--:'));
  return [line(headings), line(rule), ...rows.map(line), ''].join('\n');
}

/** A rate or a count: whole, with commas. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : whole(value)} ms`;
}

/** How long answers took, and how many were no success, if any. */
export function latencies({ p50Ms, p99Ms, errors }: Outcome): string {
  const figures = `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
  return errors === 0 ? figures : `${figures}, ${errors} ERRORS`;
}
