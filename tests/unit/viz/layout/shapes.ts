import { chartFrom } from '../../../../server/src/viz/chart.ts';
import { layout } from '../../../../server/src/viz/layout/layout.ts';
import type { Scene, Shape, Text } from '../../../../server/src/viz/scene.ts';
import { requestOf } from '../../../gallery/cases.ts';

type Kind = Shape['kind'];

export function sceneOf(request: Parameters<typeof requestOf>[0]): Scene {
  return layout(chartFrom(requestOf(request)));
}

export function shapesOf<K extends Kind>(scene: Scene, kind: K): Extract<Shape, { kind: K }>[] {
  return scene.shapes.filter((shape): shape is Extract<Shape, { kind: K }> => shape.kind === kind);
}

export function textsOf(scene: Scene): Text[] {
  return shapesOf(scene, 'texts').flatMap(({ texts }) => texts);
}

export function wordsOf(scene: Scene): string[] {
  return textsOf(scene).map(({ text }) => text);
}

/** Points named a, b, c … with these values. */
export function points(...values: number[]): { label: string; value: number }[] {
  return values.map((value, i) => ({ label: String.fromCharCode(97 + i), value }));
}

export function named(...labels: string[]): { label: string; value: number }[] {
  return labels.map((label, i) => ({ label, value: i + 1 }));
}
