import type { CanvasRenderingContext2D } from 'canvas';
import type { PathSink } from './outline.ts';

/** The current path of a node-canvas. */
export function canvasPath(canvas: CanvasRenderingContext2D): PathSink {
  const quarter = Math.PI / 2;
  return {
    moveTo: (x, y) => {
      canvas.moveTo(x, y);
    },
    lineTo: (x, y) => {
      canvas.lineTo(x, y);
    },
    roundTo: (cornerX, cornerY, x, y) => {
      canvas.quadraticCurveTo(cornerX, cornerY, x, y);
    },
    // The angles of a canvas count from three o'clock.
    arcTo: (x, y, { radius, from, to }) => {
      canvas.arc(x, y, radius, from - quarter, to - quarter, to < from);
    },
    close: () => {
      canvas.closePath();
    },
  };
}
