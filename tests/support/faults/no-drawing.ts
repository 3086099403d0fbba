/** Cairo cannot draw lines in this render process. */
import { CanvasRenderingContext2D } from 'canvas';

CanvasRenderingContext2D.prototype.stroke = () => {
  throw new Error('out of memory');
};
