import type { CanvasRenderingContext2D } from 'canvas';
import type { Color } from '../color.ts';
import type { Path, Scene, Texts } from '../scene.ts';
import { fontFamilies } from './font-files.ts';
import { isolated, paint, traceLine, type PathSink, type Surface } from './paint.ts';

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
  canvas.lineCap = 'round';
  canvas.lineJoin = 'round';
  paint(scene, new CanvasSurface(canvas));
  canvas.globalAlpha = 1;
}

class CanvasSurface implements Surface {
  readonly #canvas: Canvas;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  fill(color: Color, trace: (path: PathSink) => void): void {
    setFill(this.#canvas, color);
    this.#canvas.beginPath();
    trace(this.#canvas);
    this.#canvas.fill();
  }

  stroke(color: Color, width: number, trace: (path: PathSink) => void): void {
    setStroke(this.#canvas, color, width);
    this.#canvas.lineCap = 'butt';
    this.#canvas.beginPath();
    trace(this.#canvas);
    this.#canvas.stroke();
    this.#canvas.lineCap = 'round';
  }

  path({ stroke, width, points, dash = [] }: Path): void {
    const canvas = this.#canvas;
    setStroke(canvas, stroke, width);
    canvas.setLineDash([...dash]);
    // The parts of a translucent line would show where they overlap.
    const isInParts = canvas.canvas.type === 'image' && stroke.alpha === 1;
    const step = isInParts ? 2 * segmentsMax : points.length;
    for (let at = 0; at + 2 < points.length; at += step) {
      canvas.beginPath();
      traceLine(canvas, points.subarray(at, at + step + 2));
      canvas.stroke();
    }
    canvas.setLineDash([]);
  }

  texts({ size, weight, fill, anchor = 'start', angle = 0, texts }: Texts): void {
    const canvas = this.#canvas;
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
  }
}

function setFill(canvas: Canvas, { hex, alpha }: Color): void {
  canvas.globalAlpha = alpha;
  canvas.fillStyle = hex;
}

function setStroke(canvas: Canvas, { hex, alpha }: Color, width: number): void {
  canvas.globalAlpha = alpha;
  canvas.strokeStyle = hex;
  canvas.lineWidth = width;
}
