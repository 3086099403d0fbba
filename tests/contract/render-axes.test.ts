import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { factsOf } from '../unit/viz/pdf.ts';
import { elementsOf } from '../unit/viz/svg.ts';

const data = [
  { label: 'Mai', value: 1234.5 },
  { label: 'Juni', value: 987.25 },
];
const captions = { subtitle: 'Nur Inland', source: 'Quelle: Geschäftsbericht' };
const body = { data, x_title: 'Monat', y_title: 'Umsatz in Euro', locale: 'de', ...captions };
const words = ['1.235', 'Monat', 'Umsatz in Euro', ...Object.values(captions)];

const alice = await sharedServer().as('alice');

describe.each(['bar', 'line'] as const)('a %s chart with axis titles, captions and a locale', (kind) => {
  spec('renderSvg', 200, 'has the titles as text and the numbers of the language', async () => {
    const { svg } = (await alice.ok('renderSvg', { body: { ...body, chart_type: kind } })).body;

    const texts = elementsOf(svg).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(kind === 'bar' ? words : words.slice(1)));
    expect(texts).toEqual(expect.arrayContaining(kind === 'bar' ? ['1.000'] : ['1.200']));
  });

  spec('renderPdf', 200, 'has the titles as text', async () => {
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body: { ...body, chart_type: kind } })).body;

    const { texts } = await factsOf(Buffer.from(pdf, 'base64'));
    expect(texts).toEqual(expect.arrayContaining(words.slice(1)));
  });

  spec('renderPng', 200, 'draws another picture than without them', async () => {
    const pictures = await Promise.all(
      [{ x_title: 'Monat' }, { locale: 'de' }, captions, {}].map(async (fields) => {
        const answer = await alice.ok('renderPng', { body: { data, chart_type: kind, ...fields } });
        return answer.body.png_base64;
      }),
    );

    expect(new Set(pictures).size).toBe(4);
  });
});

describe('a line over times', () => {
  const times = ['2025-12-30', '2026-01-01', '2026-02-01'].map((label, value) => ({ label, value }));
  const line = { data: times, chart_type: 'line', locale: 'de' } as const;

  spec('renderSvg', 200, 'has Mondays and their month in the language', async () => {
    const { svg } = (await alice.ok('renderSvg', { body: line })).body;

    const texts = elementsOf(svg).map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(['5', 'Jan. 2026', '12']));
    expect(texts).not.toContain('2026-02-01');
  });

  spec('renderPdf', 200, 'has the month as text', async () => {
    const { pdf_base64: pdf } = (await alice.ok('renderPdf', { body: line })).body;

    expect((await factsOf(Buffer.from(pdf, 'base64'))).texts).toEqual(expect.arrayContaining(['Jan. 2026']));
  });

  spec('renderPng', 200, 'draws another picture than a line over categories', async () => {
    const [byTime, byCategory] = await Promise.all(
      (['time', 'category'] as const).map((type) =>
        alice.ok('renderPng', { body: { ...line, x_type: type } }),
      ),
    );

    expect(byTime?.body.png_base64).not.toBe(byCategory?.body.png_base64);
  });
});
