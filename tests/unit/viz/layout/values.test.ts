import { describe, expect, it } from 'vitest';
import type { Texts } from '../../../../server/src/viz/scene.ts';
import { named, points, sceneOf, shapesOf, wordsOf } from './shapes.ts';

const series = [
  { name: 'A', data: points(10, 20, 30) },
  { name: 'B', data: points(35, 25, 15) },
];

describe('values: always', () => {
  it('writes the values of points above them, and below low ones', () => {
    const scene = sceneOf({ chart_type: 'line', data: points(30, 11, 32), values: 'always' });
    const [dots] = shapesOf(scene, 'dots');
    const yOf = (word: string): number | undefined => textOf(scene, word)?.y;

    expect(yOf('32')).toBeLessThan(dots?.centers[5] ?? 0);
    expect(yOf('11')).toBeGreaterThan(dots?.centers[3] ?? 0);
  });

  it('writes the values of several lines', () => {
    expect(wordsOf(sceneOf({ chart_type: 'line', series, values: 'always' }))).toEqual(
      expect.arrayContaining(['10', '15', '20', '25', '30', '35']),
    );
  });

  it('writes the values of bars side by side', () => {
    const words = wordsOf(sceneOf({ series, values: 'always' }));

    expect(words).toEqual(expect.arrayContaining(['15', '25', '35']));
  });

  it('turns values that are wider than their bars', () => {
    const data = Array.from({ length: 40 }, (_, i) => ({ label: `${i}`, value: 1000 + i }));
    const scene = sceneOf({ data, values: 'always' });

    expect(turnedTexts(scene).flatMap(({ texts }) => texts)).toHaveLength(40);
  });

  it('writes as many as have room where bars are narrower than a line of text', () => {
    const data = Array.from({ length: 100 }, (_, i) => ({ label: '', value: 1000 + i }));
    const words = wordsOf(sceneOf({ data, values: 'always' })).filter((word) => word.length === 5);

    expect(words).toEqual(expect.arrayContaining(['1,000', '1,099']));
  });

  it('writes values in stacks where they fit, and their sums above them', () => {
    const scene = sceneOf({ series, stacked: true, values: 'always' });

    expect(wordsOf(scene).filter((word) => ['10', '35', '45'].includes(word))).toEqual(
      expect.arrayContaining(['10', '35', '45', '45', '45']),
    );
    expect(insideTexts(scene)).toEqual(['#ffffff', '#000000']);
  });

  it('writes the sums of stacked areas', () => {
    const words = wordsOf(
      sceneOf({ chart_type: 'line', area: true, stacked: true, series, values: 'always' }),
    );

    expect(words.filter((word) => word === '45')).toHaveLength(3);
  });

  it('writes no sum of a stack that also goes down', () => {
    const signed = [
      { name: 'In', data: points(10.5) },
      { name: 'Out', data: points(-4) },
    ];

    expect(wordsOf(sceneOf({ series: signed, stacked: true, values: 'always' }))).not.toContain('6.5');
  });

  it('writes values at the ends of horizontal bars', () => {
    const scene = sceneOf({ series, orientation: 'horizontal', values: 'always' });
    const ends = shapesOf(scene, 'bars').flatMap(({ bars }) => bars.map(({ x, width }) => x + width));

    for (const word of ['15', '25', '35'])
      expect(ends).toContain(Math.round((textOf(scene, word)?.x ?? 0) - 5));
  });

  it('writes the value of a slice beside its share', () => {
    const scene = sceneOf({ chart_type: 'pie', data: points(1, 3), values: 'always', unit: ' kg' });

    expect(wordsOf(scene)).toEqual(expect.arrayContaining(['1 kg (25%)', '3 kg (75%)']));
  });
});

describe('values: never', () => {
  it('leaves them out of bars and slices', () => {
    expect(wordsOf(sceneOf({ data: points(6.5, 3), values: 'never' }))).not.toContain('6.5');
    expect(wordsOf(sceneOf({ chart_type: 'pie', data: points(1, 3), values: 'never' }))).toEqual(['a', 'b']);
  });
});

describe('values: auto', () => {
  it('is what a chart does without it', () => {
    for (const request of [
      { data: points(1, 2) },
      { series },
      { chart_type: 'pie', data: points(1, 2) } as const,
    ])
      expect(sceneOf({ ...request, values: 'auto' })).toEqual(sceneOf(request));
  });

  it('writes the values of bars beside null, in their colours', () => {
    const data = [...named('a', 'b'), { label: 'c', value: null }, { label: 'd', value: 2.5 }];
    const scene = sceneOf({ data, colors: ['red', 'blue'] });

    expect(wordsOf(scene)).toEqual(expect.arrayContaining(['1.0', '2.0', '2.5']));
    expect(shapesOf(scene, 'bars').map(({ fill, bars }) => [fill.hex, bars.length])).toEqual([
      ['#ff0000', 1],
      ['#0000ff', 2],
    ]);
  });
});

function textOf(scene: ReturnType<typeof sceneOf>, word: string): { x: number; y: number } | undefined {
  return shapesOf(scene, 'texts')
    .flatMap(({ texts }) => texts)
    .findLast(({ text }) => text === word);
}

function turnedTexts(scene: ReturnType<typeof sceneOf>): Texts[] {
  return shapesOf(scene, 'texts').filter(({ angle }) => angle === 90);
}

/** The colours of the texts in bars. */
function insideTexts(scene: ReturnType<typeof sceneOf>): string[] {
  return [...new Set(shapesOf(scene, 'texts').map(({ fill }) => fill.hex))].filter((hex) =>
    ['#000000', '#ffffff'].includes(hex),
  );
}
