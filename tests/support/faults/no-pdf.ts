/** In this render process, cairo can draw a PDF but cannot write it. */
import { Canvas } from 'canvas';

const written: (...args: unknown[]) => Buffer = Reflect.get(Canvas.prototype, 'toBuffer');
Canvas.prototype.toBuffer = function (this: Canvas, ...args: unknown[]): Buffer {
  if (this.type === 'pdf') throw new Error('out of memory');
  return Reflect.apply(written, this, args);
};
