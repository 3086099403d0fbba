/** A page with a table between its marks `<!-- NAME: … -->` and `<!-- end of NAME -->`. */
export function withTable(page: string, name: string, rows: readonly string[]): string {
  const between = new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!between.test(page)) throw new Error(`A page has lost a mark of the table of ${name}.`);
  return page.replace(between, (_, begin: string, end: string) => `${begin}${rows.join('\n')}\n${end}`);
}
