import { renderSvg, type ChartRequest } from '@worktable/charts/svg';
import { describe, expect } from 'vitest';
import { formats, pageOf, pdfOf, pixelsOf, pngOf, svgOf } from '../../support/charts.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const body = { title: 'Umsätze', data: [{ label: 'todo', value: 7 }] };

const alice = await sharedServer().as('alice');

describe.each(formats)('$operation with Accept: $mediaType', ({ operation, name, mediaType, ...json }) => {
  const headers = { Accept: mediaType };

  spec(operation, 200, 'answers the bytes that JSON carries, with their length and a file name', async () => {
    const file = await alice.send(operation, { body, headers });
    const { body: fields } = await alice.send(operation, { body });

    const bytes = Buffer.from(String(file.body), name === 'svg' ? 'utf8' : 'latin1');
    const carried = (fields as Record<string, string>)[json.field] ?? '';
    expect(bytes.equals(Buffer.from(carried, json.encoding))).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': mediaType,
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="chart.${name}"`,
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
    // `fails` also checks the media type.
    await alice.fails(operation, 400, { body: { data: 1 }, headers });
  });

  spec(operation, 200, 'answers the file if Accept prefers it, even as a type with a charset', async () => {
    const preferring = [';charset=utf-8', '; charset="utf-8"', ';q=0.9, */*;q=0.1'];
    const others = ['*/*', `${mediaType};q=0.5, application/json`, `${mediaType}; q=0.5, */*`, 'image/webp'];

    for (const accept of [...preferring.map((parameters) => mediaType + parameters), ...others]) {
      const { headers: answered } = await alice.send(operation, { body, headers: { Accept: accept } });

      const expected = others.includes(accept) ? /^application\/json/ : mediaType;
      expect(answered.get('Content-Type'), accept).toMatch(expected);
    }
  });
});

describe('with scale', () => {
  spec('renderPng', 200, 'has more pixels', async () => {
    const { width, height } = await pixelsOf(alice, { ...body, width: 400, scale: 3 });

    expect([width, height]).toEqual([1200, 1800]);
  });

  spec('renderPdf', 200, 'has the same page size as without it', async () => {
    expect((await pageOf(alice, { ...body, scale: 4 })).box).toEqual([600, 450]);
  });

  spec('renderSvg', 200, 'is the same picture as without it', async () => {
    expect(await svgOf(alice, { ...body, scale: 4 })).toBe(await svgOf(alice, body));
  });
});

// server/charts/tests has the pictures of themes and backgrounds as SVG.
describe.each([
  ['the dark theme', { theme: 'dark' }, [20, 24, 31, 255]],
  ['a background of its own', { background: 'navy' }, [0, 0, 128, 255]],
  ['a translucent background', { background: '#f00c' }, [255, 0, 0, 204]],
  ['a transparent background', { background: 'transparent' }, [0, 0, 0, 0]],
])('with %s', (_name, looks, channels) => {
  spec('renderPng', 200, 'has pixels of the background in its corners', async () => {
    const pixels = (await pixelsOf(alice, { ...body, ...looks })).data;

    expect([...pixels.subarray(0, 4), ...pixels.subarray(-4)]).toEqual([...channels, ...channels]);
  });
});

const transparent = { ...body, background: 'transparent' };
const auto = { ...body, theme: 'auto' };

spec('renderPng', 200, 'has light text in the dark theme, and is light with the theme auto', async () => {
  expect(await pngOf(alice, { ...transparent, theme: 'dark' })).not.toEqual(await pngOf(alice, transparent));
  expect(await pngOf(alice, auto)).toEqual(await pngOf(alice, body));
});

spec('renderPdf', 200, 'has dark text without a background or theme, because paper is white', async () => {
  for (const other of [transparent, { ...transparent, theme: 'dark' }, auto])
    expect(await pdfOf(alice, other)).toEqual(await pdfOf(alice, body));
});

describe('a chart of more than 500 points', () => {
  const points = Array.from({ length: 600 }, (_, i) => ({
    label: `${i}`,
    value: i % 50 === 7 ? null : i % 90,
  }));

  spec('renderSvg', 200, 'is the same picture whichever process draws it', async () => {
    const requests: readonly ChartRequest[] = [
      { data: points, title: 'é' },
      {
        chart_type: 'line',
        series: [
          { name: 'a', data: points },
          { name: 'b', data: points.slice(1) },
        ],
      },
    ];
    for (const request of requests) expect(await svgOf(alice, request)).toBe(renderSvg(request));
  });

  spec('renderSvg', 400, 'is refused like a smaller one', async () => {
    for (const [field, value] of Object.entries({ title: '\u0000', locale: 'zz' })) {
      const errorsOf = async (data: typeof points) =>
        (await alice.fails('renderSvg', 400, { body: { data, [field]: value } })).body.errors;

      expect(await errorsOf(points)).toMatchObject([{ pointer: `/${field}` }]);
      expect(await errorsOf(points)).toEqual(await errorsOf(points.slice(0, 1)));
    }
  });
});

describe.each([
  ['renderPng', 'application/json'],
  ['renderPng', 'image/png'],
  ['renderPdf', 'application/json'],
  ['renderPdf', 'application/pdf'],
] as const)('Chart-Missing-Glyphs of %s as %s', (operation, mediaType) => {
  const glyphsMissingIn = async (title: string): Promise<string | null> => {
    const input = { body: { ...body, title }, headers: { Accept: mediaType } };
    return (await alice.send(operation, input)).headers.get('Chart-Missing-Glyphs');
  };

  spec(operation, 200, 'counts the characters that no font has, and names the first eight', async () => {
    // Private-use characters, which no font has.
    const rare = String.fromCodePoint(...Array.from({ length: 12 }, (_, i) => 0x10ff00 + i));

    expect(await glyphsMissingIn(`a${rare}b`)).toBe(
      '12; U+10FF00, U+10FF01, U+10FF02, U+10FF03, U+10FF04, U+10FF05, U+10FF06, U+10FF07',
    );
  });

  spec(operation, 200, 'is absent when every character is drawn', async () => {
    expect(await glyphsMissingIn('Größe, Я, α')).toBeNull();
  });
});
