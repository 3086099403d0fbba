import { createCanvas } from 'canvas';
import type { Scene } from '../scene.ts';
import { paintOnCanvas } from './canvas.ts';

/** CSS pixels are 96 to the inch, PDF points 72. */
export const pointsPerPixel = 0.75;

// Cairo takes the current time where none is given, and equal requests must give equal bytes. `withLanguage` removes it.
const date = new Date(0);

/** A PDF in any script, with font subsets embedded. */
export function paintCairoPdf(scene: Scene): () => Buffer {
  const canvas = createCanvas(scene.width * pointsPerPixel, scene.height * pointsPerPixel, 'pdf');
  const context = canvas.getContext('2d');
  context.scale(pointsPerPixel, pointsPerPixel);
  paintOnCanvas(context, scene);
  return () => canvas.toBuffer('application/pdf', { title: scene.title, creationDate: date });
}
