import { describe, expect, it } from 'vitest';
import { isCovered } from '../src/text/text-width.ts';
import { othersPhrase, phrasesOf } from '../src/text/phrases.ts';
import table from '../src/text/phrases.json' with { type: 'json' };
import { elementsOf } from './svg.ts';
import { paintSvg } from '../src/paint/svg.ts';
import { named, points, sceneOf, wordsOf } from './layout/shapes.ts';

const languages = Object.keys(table.sentences);

describe('the phrases of charts', () => {
  it('exist in twenty languages', () => {
    expect(languages).toHaveLength(20);
  });

  it.each(languages)('have covered letters, and the values of the English phrases: %s', (language) => {
    const { others: plural, ...texts } = phrasesOf(language);
    const valuesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
    const { others: _others, ...englishTexts } = phrasesOf('en');
    const english = new Map(Object.entries(englishTexts));

    for (const [name, text] of Object.entries(texts)) {
      expect(isCovered(text), `${name} of ${language}`).toBe(true);
      expect(valuesOf(text), `${name} of ${language}`).toEqual(valuesOf(english.get(name) ?? ''));
    }
    for (const text of Object.values(plural)) {
      expect(isCovered(text), text).toBe(true);
      expect(valuesOf(text)).toEqual(['{count}']);
    }
  });

  it.each(Object.entries(table.charts))('name %s in each language, in covered letters', (_kind, names) => {
    expect(Object.keys(names)).toEqual(languages);
    for (const name of Object.values(names)) expect(isCovered(name), name).toBe(true);
  });

  it.each([
    ['de-AT', 'Keine Daten'],
    ['pt-BR', 'Sem dados'],
    ['ru-Cyrl-RU', 'Нет данных'],
    ['iw', 'אין נתונים'],
    ['tl', 'Walang datos'],
    ['ru-Latn', 'No data'],
    ['ms-Arab', 'No data'],
    ['ja', 'No data'],
    ['en-GB', 'No data'],
  ])('are the phrases of the language and script of %s', (locale, words) => {
    const scene = sceneOf({ locale, data: [] });

    expect(wordsOf(scene)).toEqual([words]);
    expect(paintSvg(scene).includes(' lang="en"><text')).toBe(words === 'No data' && locale !== 'en-GB');
  });

  it('name and describe the chart', () => {
    const words = (request: Parameters<typeof sceneOf>[0]): unknown[] => {
      const [svg, description] = elementsOf(paintSvg(sceneOf(request)));
      return [svg?.attributes['aria-label'], description?.text];
    };

    expect(words({ locale: 'es', data: points(1, 2) })).toEqual([
      'Gráfico de barras',
      'Gráfico de barras. a: 1; b: 2.',
    ]);
    expect(
      words({ locale: 'fr', chart_type: 'line', data: named(...Array<string>(1000).fill('x')) }),
    ).toEqual([
      'Graphique linéaire',
      'Graphique linéaire, points: 1 000. Minimum : x: 1. Maximum : x: 1 000.',
    ]);
    expect(words({ locale: 'pl', chart_type: 'line', area: true, series: [], data: [] })).toEqual([
      'Wykres warstwowy',
      'Wykres warstwowy bez danych.',
    ]);
  });

  it.each([
    ['en', ['1 other', '2 others', '1,000 others']],
    ['pl', ['1 inny', '3 inne', '5 innych']],
    ['de', ['1 weiterer Wert', '2 weitere Werte']],
  ])('count other slices in %s', (locale, expected) => {
    const texts = expected.map((text) => {
      const digits = text.replace(/\D/g, '');
      return othersPhrase(Number(digits), /[\d,.]+/.exec(text)?.[0] ?? '', locale);
    });

    expect(texts).toEqual(expected);
  });
});
