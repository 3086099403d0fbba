/**
 * Adds the language and removes the date of creation, which neither of the two writers can do itself. Both end a file
 * with the document information, which names the producer, then the catalog, then the offsets of all objects.
 */
export function withLanguage(pdf: Buffer, locale: string): Buffer {
  const start = pdf.lastIndexOf('obj', pdf.lastIndexOf('/Producer'));
  const tail = pdf.toString('latin1', start);
  const dateless = tail.replace(/\s*\/CreationDate \([^)]*\)/, '');
  const complete = dateless.replace(/\/Type \/Catalog(?=\n)/, `/Type /Catalog\n/Lang (${locale})`);
  const growth = (before: string, after: string): number =>
    after.indexOf('\nxref') - before.indexOf('\nxref');
  const edited = complete
    .replace(/^\d{10}(?= 00000 n)/gm, (offset) => {
      const isCatalog = Number(offset) > start;
      return isCatalog ? String(Number(offset) + growth(tail, dateless)).padStart(10, '0') : offset;
    })
    .replace(/(?<=startxref\n)\d+/, (offset) => String(Number(offset) + growth(tail, complete)));
  return Buffer.concat([pdf.subarray(0, start), Buffer.from(edited, 'latin1')]);
}
