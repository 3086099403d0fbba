import { median } from '../median.ts';

/** Lets the contenders take turns, so that what else the machine does meets all of them; the median of each. */
export async function medians(
  contenders: readonly (() => Promise<number>)[],
  turns: number,
): Promise<number[]> {
  for (const measure of contenders) await measure();
  const results = contenders.map((): number[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [n, measure] of contenders.entries()) results[n]?.push(await measure());
  }
  return results.map(median);
}

/** Milliseconds that doing something takes, from several times in a row. */
export async function msOf(times: number, act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < times; n += 1) await act();
  return (performance.now() - start) / times;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, n) => (n === 0 ? '---' : '--:')), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
