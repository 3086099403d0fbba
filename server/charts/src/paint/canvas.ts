import type { CanvasRenderingContext2D } from 'canvas';
import type { Color } from '../color.ts';
import type { Scene } from '../scene.ts';
import { fontFamilies } from './font-files.ts';
import { isolated, paint, traceLine, type Surface } from './paint.ts';

type Canvas = CanvasRenderingContext2D;

// A long line is painted in parts of this many segments, because cairo's time for a stroke grows with the square of its
// length.
const segmentsMax = 4;

/** Paints the picture on a node-canvas, either pixels or a PDF page. */
export function paintOnCanvas(canvas: Canvas, scene: Scene): void {
  setFill(canvas, scene.background);
  canvas.fillRect(0, 0, scene.width, scene.height);
  // Draws text as glyphs instead of outlines: seven times faster, and real text in PDF.
  canvas.textDrawingMode = 'glyph';
  canvas.lineJoin = 'round';
  paint(scene, surfaceOf(canvas));
}

function surfaceOf(canvas: Canvas): Surface {
  return {
    outline: (color) => {
      setFill(canvas, color);
      canvas.beginPath();
      return canvas;
    },
    fill: () => {
      canvas.fill();
    },
    stroke: (lines, { stroke, width, dash = [] }, ends) => {
      canvas.globalAlpha = 1;
      canvas.strokeStyle = stroke.hex;
      canvas.lineWidth = width;
      canvas.lineCap = ends;
      canvas.setLineDash([...dash]);
      const step = canvas.canvas.type === 'image' ? 2 * segmentsMax : Infinity;
      for (const line of lines)
        for (let at = 0; at + 2 < line.length; at += step) {
          canvas.beginPath();
          traceLine(canvas, line.slice(at, at + step + 2));
          canvas.stroke();
        }
    },
    texts: ({ size, weight, fill, anchor = 'start', angle = 0, texts }) => {
      setFill(canvas, fill);
      canvas.font = `${weight === 'bold' ? 'bold ' : ''}${size}px ${fontFamilies}`;
      canvas.textAlign = anchor === 'middle' ? 'center' : anchor;
      for (const { x, y, text } of texts) {
        canvas.save();
        canvas.translate(x, y);
        canvas.rotate((-angle * Math.PI) / 180);
        canvas.fillText(isolated(text), 0, 0);
        canvas.restore();
      }
    },
  };
}

function setFill(canvas: Canvas, { hex, alpha }: Color): void {
  canvas.globalAlpha = alpha;
  canvas.fillStyle = hex;
}
