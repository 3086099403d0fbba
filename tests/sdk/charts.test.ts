import { describe, expect, it } from 'vitest';
import { InvalidResponseError } from '../../sdk/src/index.ts';
import { json, startFakeServer, type Responder } from './fake-server.ts';

describe('rendered charts', () => {
  it('renderPng resolves to the bytes of the PNG, and to a Blob of them', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a00ff', 'hex');
    const server = await startFakeServer(file('image/png', bytes));

    const png = await server.client().viz.renderPng({ data: [{ label: 'a', value: 1 }] });

    expect(Buffer.from(png.bytes)).toEqual(bytes);
    expect(png.toBlob()).toMatchObject({ type: 'image/png', size: 10 });
    expect(Buffer.from(await png.toBlob().arrayBuffer())).toEqual(bytes);
  });

  it('can be cloned for a worker', async () => {
    const server = await startFakeServer(file('image/svg+xml', Buffer.from('<svg/>')));

    const chart = await server.client().viz.renderSvg({ data: [] });

    expect(structuredClone(chart)).toEqual({ mediaType: chart.mediaType, bytes: chart.bytes, svg: '<svg/>' });
  });

  it('renderPng asks for the picture itself rather than for base64 in JSON', async () => {
    const server = await startFakeServer(file('image/png', Buffer.from('89')));

    await server.client().viz.renderPng({ data: [] });

    expect(server.requests[0]?.headers.accept).toBe('image/png, application/problem+json');
  });

  it('renderPdf resolves to the bytes of the PDF', async () => {
    const server = await startFakeServer(file('application/pdf', Buffer.from('%PDF-1.3\n')));

    const pdf = await server.client().viz.renderPdf({ data: [] });

    expect(pdf.mediaType).toBe('application/pdf');
    expect(Buffer.from(pdf.bytes).toString()).toBe('%PDF-1.3\n');
  });

  it('renderSvg resolves to the markup as a string and as UTF-8 bytes', async () => {
    const server = await startFakeServer(file('image/svg+xml', Buffer.from('<svg>ü</svg>')));

    const chart = await server.client().viz.renderSvg({ data: [] });

    expect(chart.svg).toBe('<svg>ü</svg>');
    expect(Buffer.from(chart.bytes).toString()).toBe('<svg>ü</svg>');
    expect(chart.toBlob().type).toBe('image/svg+xml');
  });

  it('renderPng throws an InvalidResponseError if the response is not a PNG', async () => {
    const server = await startFakeServer(json(200, { png_base64: 'iVBORw0KGgo=' }));

    await expect(server.client().viz.renderPng({ data: [] })).rejects.toThrow(InvalidResponseError);
  });
});

function file(mediaType: string, bytes: Buffer): Responder {
  return (response) => response.writeHead(200, { 'Content-Type': mediaType }).end(bytes);
}
