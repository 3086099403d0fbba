/** In this render process, cairo cannot draw lines. */
import { CanvasRenderingContext2D } from 'canvas';

CanvasRenderingContext2D.prototype.stroke = () => {
  throw new Error('out of memory');
};
