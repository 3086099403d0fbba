import { createCanvas, type CanvasRenderingContext2D } from 'canvas';
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

  path(path: Path): void {
    const { stroke, points } = path;
    const isOnLayer = isOfPixels(this.#canvas) && stroke.alpha < 1 && points.length > layeredMin;
    if (isOnLayer) paintOnLayer(path, this.#canvas);
    else paintPath(path, this.#canvas);
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

function isOfPixels({ canvas }: Canvas): boolean {
  return canvas.type === 'image';
}

// Up to this number of coordinates, painting a translucent line is faster than making a layer for it.
const layeredMin = 500;

/** Paints a translucent line opaquely on a layer, because its parts would show where they overlap. */
function paintOnLayer(path: Path, canvas: Canvas): void {
  const { width, height } = canvas.canvas;
  const layer = createCanvas(width, height).getContext('2d');
  layer.setTransform(canvas.getTransform());
  [layer.lineCap, layer.lineJoin] = [canvas.lineCap, canvas.lineJoin];
  paintPath({ ...path, stroke: { ...path.stroke, alpha: 1 } }, layer);
  canvas.save();
  canvas.resetTransform();
  canvas.globalAlpha = path.stroke.alpha;
  canvas.drawImage(layer.canvas, 0, 0);
  canvas.restore();
  // Frees large memory now, because garbage collection would notice it late.
  layer.canvas.width = 0;
}

function paintPath({ stroke, width, points, dash = [] }: Path, canvas: Canvas): void {
  const isInParts = isOfPixels(canvas) && stroke.alpha === 1;
  setStroke(canvas, stroke, width);
  canvas.setLineDash([...dash]);
  const step = isInParts ? 2 * segmentsMax : points.length;
  for (let at = 0; at + 2 < points.length; at += step) {
    canvas.beginPath();
    traceLine(canvas, points.subarray(at, at + step + 2));
    canvas.stroke();
  }
  canvas.setLineDash([]);
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
