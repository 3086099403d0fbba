import { expect, it } from 'vitest';
import { startFakeServer } from './fake-server.ts';

it.each([
  ['renderPng', 'image/png', Buffer.from('89504e470d0a1a0a00ff', 'hex')],
  ['renderPdf', 'application/pdf', Buffer.from('%PDF-1.3\n')],
  ['renderSvg', 'image/svg+xml', Buffer.from('<svg>ü</svg>')],
] as const)(
  '%s asks for the file instead of JSON, and its bytes can be read, made a Blob and sent to a worker',
  async (name, mediaType, bytes) => {
    const server = await startFakeServer((response) => {
      response.writeHead(200, { 'Content-Type': mediaType }).end(bytes);
    });

    const drawn = await server.client().viz[name]({ data: [{ label: 'a', value: 1 }] });

    const svg = name === 'renderSvg' ? { svg: bytes.toString() } : {};
    expect(structuredClone(drawn)).toEqual({ mediaType, bytes: new Uint8Array(bytes), ...svg });
    expect(drawn.toBlob().type).toBe(mediaType);
    expect(Buffer.from(await drawn.toBlob().arrayBuffer())).toEqual(bytes);
    expect(server.requests[0]?.headers.accept).toBe(`${mediaType}, application/problem+json`);
  },
);
