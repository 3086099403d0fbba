import { PNG } from 'pngjs';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { factsOf } from '../../server/charts/tests/pdf.ts';
import { elementsOf } from '../../server/charts/tests/svg.ts';
import type { Client } from './client.ts';

type Body = Partial<Schemas['ChartRequest']> | Readonly<Record<string, unknown>>;

/** The operations that draw charts, with the media type of the file and the field that has it in JSON. */
export const formats = [
  { operation: 'renderSvg', name: 'svg', mediaType: 'image/svg+xml', field: 'svg', encoding: 'utf8' },
  { operation: 'renderPng', name: 'png', mediaType: 'image/png', field: 'png_base64', encoding: 'base64' },
  {
    operation: 'renderPdf',
    name: 'pdf',
    mediaType: 'application/pdf',
    field: 'pdf_base64',
    encoding: 'base64',
  },
] as const;

export async function svgOf(client: Client, body: Body): Promise<string> {
  return (await client.ok('renderSvg', { body })).body.svg;
}

/** The texts of an SVG, in document order. */
export async function svgTextsOf(client: Client, body: Body): Promise<string[]> {
  const elements = elementsOf(await svgOf(client, body));
  return elements.filter(({ name }) => name === 'text').map(({ text }) => text);
}

export async function pngOf(client: Client, body: Body): Promise<Buffer> {
  return Buffer.from((await client.ok('renderPng', { body })).body.png_base64, 'base64');
}

export async function pixelsOf(client: Client, body: Body): Promise<PNG> {
  return PNG.sync.read(await pngOf(client, body));
}

export async function pdfOf(client: Client, body: Body): Promise<Buffer> {
  return Buffer.from((await client.ok('renderPdf', { body })).body.pdf_base64, 'base64');
}

/** The page of a PDF as PDF readers see it. */
export async function pageOf(client: Client, body: Body): ReturnType<typeof factsOf> {
  return factsOf(await pdfOf(client, body));
}
