import { median } from '../median.ts';

/** Measures the contenders alternately, so that other load affects all of them, and returns the median of each. */
export async function medians(
  contenders: readonly (() => Promise<number>)[],
  rounds: number,
): Promise<number[]> {
  for (const measure of contenders) await measure();
  const results = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [n, measure] of contenders.entries()) results[n]?.push(await measure());
  }
  return results.map(median);
}

/** The average duration of an action that is repeated sequentially. */
export async function averageMs(repetitions: number, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < repetitions; n += 1) await act();
  return (performance.now() - start) / repetitions;
}

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, n) => (n === 0 ? '---' : '--:')), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
