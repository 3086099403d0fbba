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
