import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface PdfFacts {
  readonly pages: number;
  /** Width and height in points. */
  readonly box: readonly number[];
  readonly texts: readonly string[];
  readonly title: unknown;
}

/** The content of a PDF as a reader sees it. */
export async function factsOf(pdf: Buffer): Promise<PdfFacts> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: VerbosityLevel.ERRORS });
  const document = await task.promise;
  const page = await document.getPage(1);
  const { items } = await page.getTextContent();
  const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str] : []));
  const { info } = await document.getMetadata();
  const title = new Map<string, unknown>(Object.entries(info)).get('Title');
  const facts = { pages: document.numPages, box: page.view.slice(2), texts, title };
  await task.destroy();
  return facts;
}

/** The names of a PDF's fonts, without the prefix of font subsets, and whether any font is embedded. */
export function fontsOf(pdf: Buffer): { readonly names: readonly string[]; readonly isEmbedded: boolean } {
  const source = pdf.toString('latin1');
  const names = [...source.matchAll(/\/BaseFont\s*\/(?:[A-Z]{6}\+)?([\w-]+)/g)].map(([, name = '']) => name);
  return { names: [...new Set(names)].sort(), isEmbedded: source.includes('/FontFile') };
}
