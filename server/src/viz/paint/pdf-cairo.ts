import { createCanvas } from 'canvas';
import type { Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';

/** CSS pixels are 96 to the inch, PDF points 72. */
export const pointsPerPixel = 0.75;

// A fixed date makes equal requests give equal bytes.
const date = new Date(0);

/** A PDF in any script, with font subsets embedded. */
export function paintCairoPdf(scene: Scene): () => Buffer {
  const canvas = createCanvas(scene.width * pointsPerPixel, scene.height * pointsPerPixel, 'pdf');
  const context = canvas.getContext('2d');
  context.scale(pointsPerPixel, pointsPerPixel);
  paintOnCanvas(context, scene);
  return () => canvas.toBuffer('application/pdf', { creationDate: date, modDate: date });
}
