import { Canvas, type CanvasRenderingContext2D } from 'canvas';
import { channelsOf, onWhite, type Color } from '../color.ts';
import type { Scene, Shape } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { encodePng } from './png-encode.ts';
import { giveBack, takeSurface } from './surfaces.ts';

// Leaves places in a palette of 256 for the edges of shapes and letters.
const exactMax = 160;

/** Paints the picture; the result encodes it as PNG, once. Painting and encoding fail for different reasons. */
export function paintPng(scene: Scene): () => Buffer {
  const surface = takeSurface(scene.width, scene.height);
  paintOnCanvas(surface, scene);
  return () => {
    const colors = exactColors(scene.shapes);
    const png =
      colors.length > exactMax ? encodedInFull(surface) : encodedWithPalette(surface, scene, colors);
    giveBack(surface);
    return png;
  };
}

function encodedWithPalette(
  { canvas }: CanvasRenderingContext2D,
  { width, height }: Scene,
  colors: readonly number[],
): Buffer {
  const bytes = canvas.toBuffer('raw');
  const png = encodePng({ bytes, width, height }, colors);
  // Frees the pixels at once; the garbage collector would let them pile up.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
  return png;
}

function encodedInFull({ canvas }: CanvasRenderingContext2D): Buffer {
  return canvas.toBuffer('image/png', { compressionLevel: 1, filters: Canvas.PNG_FILTER_NONE });
}

/** The colours of the scene as they look on white, and white itself. */
function exactColors(shapes: readonly Shape[]): number[] {
  const colors = new Set([0xffffff]);
  for (const shape of shapes) {
    for (const color of colorsIn(shape)) {
      const [red, green, blue] = channelsOf(onWhite(color));
      colors.add((red << 16) | (green << 8) | blue);
    }
  }
  return [...colors];
}

function colorsIn(shape: Shape): readonly Color[] {
  if (shape.kind === 'wedges') return shape.wedges.map(({ fill }) => fill);
  return [shape.kind === 'rules' || shape.kind === 'path' ? shape.stroke : shape.fill];
}
