import { textWidth } from '../layout/text-width.ts';
import { cornerOf, rimOf, type Bar, type Scene, type Shape, type Texts } from '../scene.ts';
import { reachOf } from './text-reach.ts';

/** A picture without those of its rows that are the same as the one above them. */
export interface Folded {
  readonly scene: Scene;
  /** After which rows of `scene` come how many more like them. */
  readonly repeats: readonly Repeat[];
}

export interface Repeat {
  readonly row: number;
  times: number;
}

/** Where hardly a row is left out, the rest of the work is not worth it. */
const keptMax = 0.9;

/** By how many pixels letters may be taller than they are in the font. */
const hinting = 1;

/**
 * Leaves out rows through which only upright edges go: half of a bar chart, nearly all of a large one. What is moved is the
 * same but for rounding, by which a few pixels of the rim of a pie may differ by one step.
 */
export function foldEqualRows(scene: Scene): Folded {
  const { height } = scene;
  const changes = changingRows(scene);
  const repeats: Repeat[] = [];
  const leftOut = new Uint16Array(height + 1);
  let kept = 0;
  let last: Repeat | undefined;
  for (let row = 0; row < height; row++) {
    if (changes[row] === 1) kept++;
    else if (last?.row === kept - 1) last.times++;
    else repeats.push((last = { row: kept - 1, times: 1 }));
    leftOut[row + 1] = row + 1 - kept;
  }
  if (kept > height * keptMax) return { scene, repeats: [] };
  const move = (y: number): number => y - (leftOut[Math.max(0, Math.min(height, Math.floor(y)))] ?? 0);
  const shapes = scene.shapes.map((shape) => moved(shape, move));
  return { scene: { ...scene, height: kept, shapes }, repeats };
}

/** For each row whether it may differ from the one above. */
function changingRows({ height, shapes }: Scene): Uint8Array {
  const changes = new Uint8Array(height);
  changes[0] = 1;
  for (const shape of shapes) {
    // The row below a change is another one.
    eachChange(shape, (from, to) =>
      changes.fill(1, Math.max(0, Math.floor(from)), Math.max(0, Math.floor(to) + 2)),
    );
  }
  return changes;
}

type Tell = (from: number, to: number) => void;

/** Tells from where to where the rows of a shape differ from one another. */
function eachChange(shape: Shape, tell: Tell): void {
  switch (shape.kind) {
    case 'bars':
      for (const bar of shape.bars) eachEdge(bar, cornerOf(bar, shape.radius), tell);
      break;
    case 'rules':
      for (const line of shape.lines) tellHeights(line, shape.width / 2, tell);
      break;
    case 'path':
      tellHeights(shape.points, shape.width / 2 + 1, tell);
      break;
    case 'area':
      tellHeights(shape.points, 0, tell);
      break;
    case 'dots':
      tellHeights(shape.centers, rimOf(shape) + shape.ring / 2, tell);
      break;
    case 'wedges':
      tell(shape.y - shape.radius, shape.y + shape.radius);
      break;
    case 'texts':
      eachLine(shape, tell);
      break;
  }
}

function eachEdge({ y, height, rounded }: Bar, corner: number, tell: Tell): void {
  tell(y, rounded === 'top' ? y + corner : y);
  tell(rounded === 'bottom' ? y + height - corner : y + height, y + height);
}

function tellHeights(points: ArrayLike<number>, around: number, tell: Tell): void {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < points.length; i += 2) {
    low = Math.min(low, points[i] ?? 0);
    high = Math.max(high, points[i] ?? 0);
  }
  tell(low - around, high + around);
}

function eachLine({ texts, size, weight, angle }: Texts, tell: Tell): void {
  for (const { y, text } of texts) {
    const { above, below } = reachOf(text);
    const turned = angle === 0 ? 0 : textWidth(text, size, weight);
    tell(y - above * size - turned - hinting, y + below * size + turned + hinting);
  }
}

function moved(shape: Shape, move: (y: number) => number): Shape {
  const moveY = (each: number, i: number): number => (i % 2 === 0 ? each : move(each));
  switch (shape.kind) {
    case 'bars':
      return {
        ...shape,
        bars: shape.bars.map((bar) => {
          const y = move(bar.y);
          return { ...bar, y, height: move(bar.y + bar.height) - y };
        }),
      };
    case 'rules':
      return { ...shape, lines: shape.lines.map((line) => line.map(moveY)) };
    case 'path':
    case 'area':
      return { ...shape, points: shape.points.map(moveY) };
    case 'dots':
      return { ...shape, centers: shape.centers.map(moveY) };
    case 'wedges':
      return { ...shape, y: move(shape.y) };
    case 'texts':
      return { ...shape, texts: shape.texts.map((text) => ({ ...text, y: move(text.y) })) };
  }
}
