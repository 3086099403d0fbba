import { beforeAll, describe, expect, it, vi } from 'vitest';
import { loadFonts } from '../../src/paint/font-files.ts';
import { isCp1252, paintPdf } from '../../src/paint/pdf.ts';
import { cases, casesOfKinds, requestOf } from '../../gallery/cases.ts';
import type { Request } from '../../gallery/charts.ts';
import { named, points, sceneOf, wordsOf } from '../layout/shapes.ts';
import { factsOf, fontsOf } from '../pdf.ts';
import { everyCase } from './painted.ts';

beforeAll(loadFonts);

describe('paintPdf', () => {
  it.each<[string, Request]>([
    ['Größe (in „Metern“)', { title: 'Größe (in „Metern“)' }],
    ['Кириллица \\)', { title: 'Кириллица \\)' }],
    ['čĊ', { title: 'čĊ', height: 60 }],
    ['Pie chart', { chart_type: 'pie' }],
  ])('has a title in its metadata, even if it does not show one: %s', async (title, request) => {
    expect((await factsOf(painted({ ...request, data: points(1, 2) }))).title).toBe(title);
  });

  it.each(['Latin', 'Кириллица'])('has equal bytes in any time zone of the server: %s', (title) => {
    const bytesIn = (zone: string): Buffer => {
      vi.stubEnv('TZ', zone);
      return painted({ title, data: points(1, 2) });
    };

    expect(bytesIn('Asia/Tokyo')).toEqual(bytesIn('America/New_York'));
    vi.unstubAllEnvs();
  });

  it('uses the built-in Helvetica for Western European text and embeds nothing', () => {
    expect(fontsOf(painted({ title: 'Größe „Übung“ – naïve façade, 5 €', data: named('Œuvre') }))).toEqual({
      names: ['Helvetica', 'Helvetica-Bold'],
      isEmbedded: false,
    });
  });

  it.each(['Cyrillic', 'Greek', 'Hebrew', 'Latin, with a Czech word'])(
    'embeds the shipped font for %s',
    (name) => {
      const { names, isEmbedded } = fontsOf(painted(cases[name] ?? {}));

      expect(names.every((each) => each.startsWith('Arimo'))).toBe(true);
      expect(isEmbedded).toBe(true);
    },
  );

  it.each([...Object.keys(casesOfKinds), 'line, negative', 'bar, markup', 'Cyrillic', 'Greek'])(
    'has the words of the chart as text: %s',
    async (name) => {
      const scene = sceneOf(cases[name] ?? {});

      const { texts } = await factsOf(paintPdf(scene)());
      const written = texts.join('').replaceAll(' ', '').replaceAll('–', '−');
      expect(written).toBe(wordsOf(scene).join('').replaceAll(' ', ''));
    },
  );

  it('has every letter that the built-in fonts know', async () => {
    const latin1 = Array.from({ length: 224 }, (_, i) => String.fromCharCode(i + 32));
    // The PDF reader of this test converts the micro sign to the Greek letter.
    const letters = latin1
      .concat(Array.from('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'))
      .filter((letter) => isCp1252(letter) && !' µ'.includes(letter));
    const labels = Array.from({ length: 11 }, (_, i) => letters.slice(i * 20, i * 20 + 20).join(''));

    const { texts } = await factsOf(painted({ width: 4096, data: named(...labels) }));
    expect(texts).toEqual(expect.arrayContaining(labels));
  });

  it.each(Object.entries(everyCase))(
    'is one page of the requested size in CSS pixels: %s',
    async (_, request) => {
      const { width, height } = requestOf(request);
      const { pages, box } = await factsOf(painted(request));

      expect(pages).toBe(1);
      expect(box).toEqual([expect.closeTo(width * 0.75, 1), expect.closeTo(height * 0.75, 1)]);
    },
  );
});

it.each(['Ă', '−', '\u00a0', '\u00ad', '\u0081', '北', '😀'])('isCp1252 is false for %j', (text) => {
  expect(isCp1252(`a${text}`)).toBe(false);
});

function painted(request: Request): Buffer {
  return paintPdf(sceneOf(request))();
}
