import { expect, it } from 'vitest';
import { chartFrom } from '../../src/request/chart.ts';
import { layout } from '../../src/layout/layout.ts';
import type { Bar, Bars, Scene, Shape, Text, Texts } from '../../src/scene.ts';
import { requestOf } from '../../gallery/cases.ts';
import type { Request } from '../../gallery/charts.ts';
import type { Data } from '../../gallery/series.ts';

type Kind = Shape['kind'];

export function sceneOf(request: Request): Scene {
  return layout(chartFrom(requestOf(request)));
}

export function shapesOf<K extends Kind>(scene: Scene, kind: K): Extract<Shape, { kind: K }>[] {
  return scene.shapes.filter((shape): shape is Extract<Shape, { kind: K }> => shape.kind === kind);
}

/** The shapes of a kind in the picture of a request. */
export function drawn<K extends Kind>(kind: K, request: Request): Extract<Shape, { kind: K }>[] {
  return shapesOf(sceneOf(request), kind);
}

export function textsOf(scene: Scene): Text[] {
  return shapesOf(scene, 'texts').flatMap(({ texts }) => texts);
}

export function wordsOf(scene: Scene): string[] {
  return textsOf(scene).map(({ text }) => text);
}

/** The texts in the picture of a request. */
export function wordsIn(request: Request): string[] {
  return wordsOf(sceneOf(request));
}

/** Asserts that a picture has words, as often as they are listed, and lacks others. ` | ` separates words. */
export function assertWords(request: Request, has: string, lacks = ''): void {
  const words = wordsIn(request);
  const missing = listed(has);
  for (const word of words) if (missing.includes(word)) missing.splice(missing.indexOf(word), 1);
  const extra = listed(lacks).filter((word) => words.includes(word));
  expect({ missing, extra }, words.join(' | ')).toEqual({ missing: [], extra: [] });
}

function listed(words: string): string[] {
  return words === '' ? [] : words.split(' | ');
}

/** Tests with the arguments of `assertWords`, by title. */
export function itHasWords(charts: Readonly<Record<string, Parameters<typeof assertWords>>>): void {
  it.each(Object.entries(charts))('%s', (_title, chart) => {
    assertWords(...chart);
  });
}

/** A text and its style. Throws if the picture does not have the text. */
export function findText(scene: Scene, word: string): Text & Omit<Texts, 'kind' | 'texts'> {
  for (const { texts, ...style } of shapesOf(scene, 'texts').toReversed()) {
    const text = texts.findLast((each) => each.text === word);
    if (text) return { ...style, ...text };
  }
  throw new Error(`The picture has no text "${word}".`);
}

/** A bar: its extent along the value axis (`low`, `high`) and across it (`at`, `breadth`). */
export interface MeasuredBar {
  readonly low: number;
  readonly high: number;
  readonly at: number;
  readonly breadth: number;
  readonly rounded: Bar['rounded'];
}

/** The bars of each colour, without the swatches of the legend. */
export function measuredBars(request: Request): MeasuredBar[][] {
  return drawn('bars', request)
    .filter(({ radius }) => radius > 0)
    .map(({ bars }: Bars) =>
      bars.map(({ x, y, width, height, rounded }) =>
        request.orientation === 'horizontal'
          ? { low: x, high: x + width, at: y, breadth: height, rounded }
          : { low: -y - height, high: -y, at: x, breadth: width, rounded },
      ),
    );
}

/** Points named a, b, c … with these values. */
export function points(...values: (number | null)[]): Data {
  return values.map((value, i) => ({ label: String.fromCharCode(97 + i), value }));
}

export function named(...labels: string[]): Data {
  return labels.map((label, i) => ({ label, value: i + 1 }));
}

/** Series named A, B, C … with the points a, b, c … */
export function seriesOf(...rows: readonly (readonly (number | null)[])[]): { name: string; data: Data }[] {
  return rows.map((values, i) => ({ name: String.fromCharCode(65 + i), data: points(...values) }));
}
