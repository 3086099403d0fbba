/** A Markdown table with right-aligned numbers. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = headings.map((_, i) => (i === 0 ? '---' : '--:'));
  return [line(headings), `|${rule.join('|')}|`, ...rows.map(line), ''].join('\n');
}

/** A rate or a count as an integer with commas. */
export function integer(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Milliseconds as text; `none` if no response arrived. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return 'none';
  return `${value < 10 ? value.toFixed(2) : integer(value)} ms`;
}
