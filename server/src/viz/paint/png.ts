import { Canvas, type CanvasRenderingContext2D } from 'canvas';
import { channelsOf, onWhite } from '../color.ts';
import { colorsOf, type Scene } from '../scene.ts';
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
    const colors = exactColors(scene);
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
function exactColors({ shapes }: Scene): number[] {
  const colors = shapes.flatMap(colorsOf).map((color) => {
    // Cairo has 255 steps of transparency.
    const [red, green, blue] = channelsOf(onWhite({ ...color, alpha: Math.round(color.alpha * 255) / 255 }));
    return (red << 16) | (green << 8) | blue;
  });
  return [...new Set([0xffffff, ...colors])];
}
