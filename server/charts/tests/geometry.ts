import { textWidth } from '../src/text/text-width.ts';
import type { Scene, Texts } from '../src/scene.ts';

export type Point = readonly [x: number, y: number];
export type Segment = readonly [Point, Point];

/** A text in a picture, and the corners of its box, which may be turned. */
export interface TextBox {
  readonly text: string;
  readonly corners: readonly Point[];
}

export function boxesOf(texts: Texts): TextBox[] {
  return texts.texts.map((text) => ({ text: text.text, corners: cornersOf(texts, text) }));
}

export function textBoxes(scene: Scene): TextBox[] {
  return scene.shapes.filter((shape) => shape.kind === 'texts').flatMap(boxesOf);
}

/** The texts that overlap another text or the grid, or extend beyond the picture. */
export function illegibleTexts(scene: Scene): TextBox[] {
  const boxes = textBoxes(scene);
  const { width, height } = scene;
  const isOutside = ([x, y]: Point): boolean => x < -1 || x > width + 1 || y < -1 || y > height + 1;
  const [grid] = scene.shapes.filter(({ kind }) => kind === 'rules');
  const lines = grid?.kind === 'rules' ? grid.lines.map(pointsOf) : [];
  const isCrossed = (corners: readonly Point[]): boolean => lines.some((line) => doOverlap(line, corners));
  const isWrong = ({ corners }: TextBox): boolean => corners.some(isOutside) || isCrossed(corners);
  return [...overlapping(boxes), ...boxes.filter(isWrong)];
}

/** The boxes that overlap a later box. */
export function overlapping(boxes: readonly TextBox[]): TextBox[] {
  return boxes.filter((box, i) => boxes.slice(i + 1).some(({ corners }) => doOverlap(box.corners, corners)));
}

/** The box extends from the height of capital letters to a little below the baseline. */
function cornersOf(
  { size, weight, anchor = 'start', angle = 0 }: Texts,
  { x, y, text }: Texts['texts'][number],
): Point[] {
  const width = textWidth(text, size, weight);
  const left = -width * { start: 0, middle: 0.5, end: 1 }[anchor];
  const turn = (-angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [top, bottom] = [-0.72 * size, 0.1 * size];
  return (
    [
      [left, top],
      [left + width, top],
      [left + width, bottom],
      [left, bottom],
    ] as const
  ).map(([dx, dy]) => [x + dx * cos - dy * sin, y + dx * sin + dy * cos]);
}

/** The points of a list of coordinates: x, y, x, y, … */
export function pointsOf(coordinates: ArrayLike<number>): Point[] {
  return Array.from({ length: coordinates.length / 2 }, (_, i) => [
    coordinates[2 * i] ?? NaN,
    coordinates[2 * i + 1] ?? NaN,
  ]);
}

export function segmentsOf(line: ArrayLike<number>): Segment[] {
  const points = pointsOf(line);
  return points.slice(1).map((point, i) => [points[i] ?? point, point]);
}

/** Returns true if no line separates two convex polygons. A segment counts as a polygon. */
export function doOverlap(a: readonly Point[], b: readonly Point[]): boolean {
  // A quick test, which suffices for most polygons of a picture.
  if (areApart(a, b, 0) || areApart(a, b, 1)) return false;
  const edges = [...edgesOf(a), ...edgesOf(b)];
  return edges.every(([p, q]) => {
    const normal = [p[1] - q[1], q[0] - p[0]] as const;
    const along = ([x, y]: Point): number => x * normal[0] + y * normal[1];
    const [some, others] = [a.map(along), b.map(along)];
    const slack = 1e-6 * Math.hypot(...normal);
    return Math.max(...some) > Math.min(...others) + slack && Math.max(...others) > Math.min(...some) + slack;
  });
}

function areApart(a: readonly Point[], b: readonly Point[], axis: 0 | 1): boolean {
  const [first, second] = [extentOf(a, axis), extentOf(b, axis)];
  return first.high <= second.low || second.high <= first.low;
}

function extentOf(points: readonly Point[], axis: 0 | 1): { readonly low: number; readonly high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const point of points) [low, high] = [Math.min(low, point[axis]), Math.max(high, point[axis])];
  return { low, high };
}

function edgesOf(corners: readonly Point[]): Segment[] {
  return corners.map((corner, i) => [corner, corners[(i + 1) % corners.length] ?? corner]);
}

/** The distance from a point to a line, or to a polygon that does not contain the point. */
export function distanceTo(point: Point, corners: readonly Point[]): number {
  return Math.min(...edgesOf(corners).map((edge) => distanceToSegment(point, edge)));
}

function distanceToSegment([x, y]: Point, [[ax, ay], [bx, by]]: Segment): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const share =
    length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y);
}
