import { Canvas } from 'canvas';
import { channelsOf, over, white, type Color } from '../color.ts';
import { ink } from '../palette.ts';
import { colorsOf, type Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';
import { addRows, encodePng, indexedPicture, type IndexedPicture } from './png-encode.ts';
import { fitsPalette } from './png-palette.ts';
import { rasterLine } from './raster-line.ts';
import { giveBack, takeSurface } from './surfaces.ts';

const bandPixels = 2_000_000;

/** Paints the picture; the result encodes it as PNG, once. Painting and encoding fail for different reasons. */
export function paintPng(scene: Scene): () => Buffer {
  const colors = exactColors(scene);
  if (!fitsPalette(colors)) return paintInFull(scene);
  const picture = indexedPicture(scene.width, scene.height, colors);
  const rows = Math.max(2, Math.floor(bandPixels / scene.width));
  for (let top = 0; top < scene.height; top += rows)
    paintBand(picture, scene, top, Math.min(rows, scene.height - top));
  return () => encodePng(picture);
}

/** Large pictures are painted in bands, so that memory stays small. Each begins with the last row of the one above. */
function paintBand(picture: IndexedPicture, scene: Scene, top: number, rows: number): void {
  const { width, shapes } = scene;
  // A line without dots is the last shape of its layout.
  const last = shapes.at(-1);
  const line = last?.kind === 'path' ? last : undefined;
  const above = top === 0 ? 0 : 1;
  const surface = takeSurface(width, rows + above);
  surface.save();
  surface.translate(0, above - top);
  paintOnCanvas(surface, line ? { ...scene, shapes: shapes.slice(0, -1) } : scene);
  surface.restore();
  const bytes = surface.canvas.toBuffer('raw');
  giveBack(surface);
  const pixels = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  if (line) rasterLine({ width, top: top - above, pixels }, line);
  addRows(picture, top, bytes);
  // Frees the pixels at once; the garbage collector would let them pile up.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}

function paintInFull(scene: Scene): () => Buffer {
  const surface = takeSurface(scene.width, scene.height);
  paintOnCanvas(surface, scene);
  return () => {
    const png = surface.canvas.toBuffer('image/png', {
      compressionLevel: 1,
      filters: Canvas.PNG_FILTER_NONE,
    });
    giveBack(surface);
    return png;
  };
}

/** White, the colours of the scene as they look on it, and translucent ones as they look on the grid as well. */
function exactColors({ shapes }: Scene): number[] {
  const colors = shapes.flatMap(colorsOf).flatMap((color) => {
    // Cairo has 255 steps of transparency.
    const seen = { ...color, alpha: Math.round(color.alpha * 255) / 255 };
    return [white, ink.grid].map((background) => over(seen, background));
  });
  return [...new Set([0xffffff, ...colors.map(bitsOf)])];
}

function bitsOf(color: Color): number {
  const [red, green, blue] = channelsOf(color);
  return (red << 16) | (green << 8) | blue;
}
