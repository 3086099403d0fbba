import { PNG } from 'pngjs';
import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { factsOf } from '../unit/viz/pdf.ts';

const body = { title: 'Umsätze', data: [{ label: 'todo', value: 7 }] };

const alice = await sharedServer().as('alice');

describe.each([
  ['renderSvg', 'image/svg+xml', 'chart.svg', 'svg', 'utf8'],
  ['renderPng', 'image/png', 'chart.png', 'png_base64', 'base64'],
  ['renderPdf', 'application/pdf', 'chart.pdf', 'pdf_base64', 'base64'],
] as const)('%s with Accept: %s', (operation, mediaType, fileName, field, encoding) => {
  const headers = { Accept: mediaType };

  spec(operation, 200, 'answers the bytes that JSON carries, with their length and a file name', async () => {
    const file = await alice.send(operation, { body, headers });
    const { body: json } = await alice.send(operation, { body });

    const bytes = bytesOf(file.body, mediaType);
    expect(bytes.equals(Buffer.from((json as Record<string, string>)[field] ?? '', encoding))).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': mediaType,
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="${fileName}"`,
      vary: 'Accept',
    });
  });

  spec(operation, 200, 'has the same strong ETag for the same request, and another for another', async () => {
    const etags = [];
    for (const title of ['a', 'a', 'b']) {
      const { headers: answered } = await alice.send(operation, { body: { ...body, title }, headers });
      etags.push(answered.get('ETag'));
    }

    expect(etags[0]).toMatch(/^"[\w-]{22}"$/);
    expect(etags[1]).toBe(etags[0]);
    expect(etags[2]).not.toBe(etags[0]);
  });

  spec(operation, 400, 'answers problem details for a request that is refused', async () => {
    const { headers: answered } = await alice.fails(operation, 400, { body: { data: 1 }, headers });

    expect(answered.get('Content-Type')).toBe('application/problem+json');
  });

  spec(operation, 200, 'answers the file whatever parameters its type has', async () => {
    for (const parameters of [';charset=utf-8', '; charset="utf-8"', ';p="a,b;c";q=0.9, */*;q=0.1']) {
      const { headers: answered } = await alice.send(operation, {
        body,
        headers: { Accept: mediaType + parameters },
      });

      expect(answered.get('Content-Type')).toBe(mediaType);
    }
  });

  spec(operation, 200, 'answers JSON unless the client prefers the file', async () => {
    for (const accept of ['*/*', 'application/json', `${mediaType};q=0.5, application/json`, 'image/webp']) {
      const { headers: answered } = await alice.send(operation, { body, headers: { Accept: accept } });

      expect(answered.get('Content-Type')).toMatch(/^application\/json/);
    }
  });
});

describe('with scale', () => {
  spec(
    'renderPng',
    200,
    'has the scaled number of pixels, and the same colours at the same places',
    async () => {
      const [one, three] = await Promise.all(
        [1, 3].map(async (scale) => {
          const headers = { Accept: 'image/*' };
          const answer = await alice.send('renderPng', { body: { ...body, width: 400, scale }, headers });
          return PNG.sync.read(bytesOf(answer.body, 'image/png'));
        }),
      );

      expect([three?.width, three?.height]).toEqual([1200, 1800]);
      // The middle of the only bar.
      expect(three && one && pixel(three, 600, 900)).toBe(one && pixel(one, 200, 300));
    },
  );

  spec('renderPdf', 200, 'has the size of the page without it', async () => {
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body: { ...body, scale: 4 } })).body;

    expect((await factsOf(Buffer.from(pdf, 'base64'))).box).toEqual([600, 450]);
  });

  spec('renderSvg', 200, 'is the same picture as without it', async () => {
    const { svg } = (await alice.ok('renderSvg', { body: { ...body, scale: 4 } })).body;

    expect(svg).toBe((await alice.ok('renderSvg', { body })).body.svg);
  });
});

function bytesOf(body: unknown, mediaType: string): Buffer {
  return Buffer.from(String(body), mediaType === 'image/svg+xml' ? 'utf8' : 'latin1');
}

function pixel({ data, width }: PNG, x: number, y: number): string {
  return data.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 4);
}
