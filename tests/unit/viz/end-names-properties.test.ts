import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doesEnter, illegibleTexts, segmentsOf, textBoxes } from './geometry.ts';
import { sceneOf, shapesOf } from './layout/shapes.ts';
import { anyName } from './names.ts';

const size = fc.constantFrom([300, 200], [400, 300], [800, 600], [1600, 900] as const);
const lines = fc.record({
  size,
  locale: fc.constantFrom('en', 'de', 'fr', 'hi', 'ja'),
  names: fc.uniqueArray(anyName, { minLength: 2, maxLength: 8 }),
  rows: fc.array(fc.array(fc.integer({ min: -50, max: 200 }), { minLength: 8, maxLength: 8 }), {
    minLength: 2,
    maxLength: 60,
  }),
});

describe('the names of any lines', () => {
  it('stand in the legend or at the end of their line, over no text and no line', () => {
    fc.assert(
      fc.property(lines, ({ size: [width = 0, height = 0], locale, names, rows }) => {
        const series = names.map((name, i) => ({
          name,
          data: rows.map((row, at) => ({ label: `Day ${at}`, value: row[i] ?? 0 })),
        }));
        const scene = sceneOf({ chart_type: 'line', width, height, locale, series });
        const boxes = textBoxes(scene);
        const paths = shapesOf(scene, 'path').flatMap(({ points }) => segmentsOf(points));
        const covered = boxes.filter((box) => paths.some((path) => doesEnter(path, box)));

        expect({ illegible: illegibleTexts(scene), covered }).toEqual({ illegible: [], covered: [] });
        const isNamed = names.every((name) => boxes.some(({ text }) => text === name || text.includes('…')));
        expect(isNamed).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('end where the last values are when they have room', () => {
    const series = ['Rising', 'Falling'].map((name, i) => ({
      name,
      data: [0, 1, 2].map((at) => ({ label: `${at}`, value: i === 0 ? at : 2 - at })),
    }));
    const scene = sceneOf({ chart_type: 'line', series });
    const ends = shapesOf(scene, 'path').map(({ points }) => points.at(-1) ?? 0);
    const names = shapesOf(scene, 'texts').filter(({ texts }) =>
      series.some(({ name }) => name === texts[0]?.text),
    );

    expect(names.map(({ texts }) => texts[0]?.text)).toEqual(['Rising', 'Falling']);
    names.forEach(({ texts }, i) => {
      expect(Math.abs((texts[0]?.y ?? 0) - (ends[i] ?? 0))).toBeLessThan(8);
    });
  });
});
