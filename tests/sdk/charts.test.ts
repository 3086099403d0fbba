import { describe, expect, it } from 'vitest';
import { bytesFromBase64 } from '../../sdk/src/base64.ts';
import { InvalidResponseError } from '../../sdk/src/index.ts';
import { json, startFakeServer } from './fake-server.ts';

describe('rendered charts', () => {
  it('renderPng resolves to the bytes of the PNG, and to a Blob of them', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a00ff', 'hex');
    const server = await startFakeServer(json(200, { png_base64: bytes.toString('base64') }));

    const png = await server.client().viz.renderPng({ data: [{ label: 'a', value: 1 }] });

    expect(Buffer.from(png.bytes)).toEqual(bytes);
    expect(png.toBlob()).toMatchObject({ type: 'image/png', size: 10 });
    expect(Buffer.from(await png.toBlob().arrayBuffer())).toEqual(bytes);
  });

  it('renderPdf resolves to the bytes of the PDF', async () => {
    const server = await startFakeServer(json(200, { pdf_base64: 'JVBERi0xLjMK' }));

    const pdf = await server.client().viz.renderPdf({ data: [] });

    expect(pdf.mediaType).toBe('application/pdf');
    expect(Buffer.from(pdf.bytes).toString()).toBe('%PDF-1.3\n');
  });

  it('renderSvg resolves to the markup as a string and as UTF-8 bytes', async () => {
    const server = await startFakeServer(json(200, { svg: '<svg>ü</svg>' }));

    const chart = await server.client().viz.renderSvg({ data: [] });

    expect(chart.svg).toBe('<svg>ü</svg>');
    expect(Buffer.from(chart.bytes).toString()).toBe('<svg>ü</svg>');
    expect(chart.toBlob().type).toBe('image/svg+xml');
  });
});

describe('bytesFromBase64', () => {
  it('bytesFromBase64 decodes the base64 of Node at every length', () => {
    for (let length = 0; length < 70; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 89 + length) % 256));
      expect(Buffer.from(bytesFromBase64(bytes.toString('base64')))).toEqual(bytes);
    }
  });

  it.each(['A', 'AA', 'AAA', 'AA=A', '====', 'AA\n=', 'AAA-', 'AAAÿ', 'AAA€'])(
    'bytesFromBase64 throws for the invalid text %j',
    (text) => {
      expect(() => bytesFromBase64(text)).toThrow(InvalidResponseError);
    },
  );

  it('bytesFromBase64 decodes 8 MB', () => {
    const bytes = Buffer.alloc(8_000_000, 'chart');

    const read = bytesFromBase64(bytes.toString('base64'));

    expect(bytes.equals(read)).toBe(true);
  });
});
