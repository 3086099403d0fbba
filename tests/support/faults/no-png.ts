/** In this render process, cairo can draw a PNG but cannot encode it. */
import { Canvas } from 'canvas';

const written: (...args: unknown[]) => Buffer = Reflect.get(Canvas.prototype, 'toBuffer');
Canvas.prototype.toBuffer = function (this: Canvas, ...args: unknown[]): Buffer {
  if (args[0] === 'image/png') throw new Error('out of memory');
  return Reflect.apply(written, this, args);
};
