import { createCanvas, type CanvasRenderingContext2D } from 'canvas';
import type { Color } from '../color.ts';
import { cornerOf, paintShape, rimOf, type Painter, type Path, type Scene } from '../scene.ts';
import { fontFamilies } from './font-files.ts';
import { traceLine, traceRoundedBar, traceWedge } from './outline.ts';
import { isolated } from './text-direction.ts';

type Canvas = CanvasRenderingContext2D;

// A long line is painted in parts of this many segments, because cairo's time for a stroke grows with the square of its
// length.
const segmentsMax = 8;
const alignments = { start: 'left', middle: 'center', end: 'right' } as const;

/** Paints the picture on a node-canvas, either pixels or a PDF page. */
export function paintOnCanvas(canvas: Canvas, { width, height, background, shapes }: Scene): void {
  setFill(canvas, background);
  canvas.fillRect(0, 0, width, height);
  // Draws text as glyphs instead of outlines: seven times faster, and real text in PDF.
  canvas.textDrawingMode = 'glyph';
  canvas.lineCap = 'round';
  canvas.lineJoin = 'round';
  for (const shape of shapes) paintShape(onCanvas, shape, canvas);
  canvas.globalAlpha = 1;
}

const onCanvas: Painter<Canvas, void> = {
  bars({ fill, radius, bars }, canvas) {
    setFill(canvas, fill);
    canvas.beginPath();
    for (const bar of bars) {
      const corner = cornerOf(bar, radius);
      if (corner === 0) canvas.rect(bar.x, bar.y, bar.width, bar.height);
      else traceRoundedBar(canvas, bar, corner);
    }
    canvas.fill();
  },

  rules({ stroke, width, lines }, canvas) {
    setStroke(canvas, stroke, width);
    canvas.lineCap = 'butt';
    canvas.beginPath();
    for (const line of lines) traceLine(canvas, line);
    canvas.stroke();
    canvas.lineCap = 'round';
  },

  path: paintPath,

  area({ fill, points }, canvas) {
    setFill(canvas, fill);
    canvas.beginPath();
    traceLine(canvas, points);
    canvas.closePath();
    canvas.fill();
  },

  dots(dots, canvas) {
    const { fill, ring, ringColor, centers } = dots;
    const rim = rimOf(dots);
    canvas.beginPath();
    for (let i = 0; i < centers.length; i += 2) {
      const [x = 0, y = 0] = [centers[i], centers[i + 1]];
      canvas.moveTo(x + rim, y);
      canvas.arc(x, y, rim, 0, 2 * Math.PI);
    }
    setFill(canvas, fill);
    canvas.fill();
    setStroke(canvas, ringColor, ring);
    canvas.stroke();
  },

  wedges(disc, canvas) {
    for (const wedge of disc.wedges) {
      setFill(canvas, wedge.fill);
      canvas.beginPath();
      traceWedge(canvas, disc, wedge);
      canvas.fill();
    }
  },

  texts({ size, weight, fill, anchor = 'start', angle = 0, texts }, canvas) {
    setFill(canvas, fill);
    canvas.font = `${weight === 'bold' ? 'bold ' : ''}${size}px ${fontFamilies}`;
    canvas.textAlign = alignments[anchor];
    for (const { x, y, text } of texts) {
      canvas.save();
      canvas.translate(x, y);
      canvas.rotate((-angle * Math.PI) / 180);
      canvas.fillText(isolated(text), 0, 0);
      canvas.restore();
    }
  },
};

function paintPath(path: Path, canvas: Canvas): void {
  const { stroke, width, points, dash = [] } = path;
  const isLong = canvas.canvas.type === 'image' && points.length > 2 * segmentsMax;
  if (isLong && stroke.alpha < 1) {
    paintOnLayer(path, canvas);
    return;
  }
  setStroke(canvas, stroke, width);
  const step = isLong ? 2 * segmentsMax : points.length;
  canvas.setLineDash([...dash]);
  let length = 0;
  for (let at = 0; at + 2 < points.length; at += step) {
    const part = points.subarray(at, at + step + 2);
    // Dashes continue from one part to the next.
    canvas.lineDashOffset = length;
    canvas.beginPath();
    traceLine(canvas, part);
    canvas.stroke();
    if (dash.length > 0) length += lengthOf(part);
  }
  canvas.setLineDash([]);
}

function lengthOf(points: Path['points']): number {
  let length = 0;
  for (let i = 2; i < points.length; i += 2)
    length += Math.hypot(
      (points[i] ?? 0) - (points[i - 2] ?? 0),
      (points[i + 1] ?? 0) - (points[i - 1] ?? 0),
    );
  return length;
}

/**
 * The parts of a translucent line would show where they overlap. So the line is painted opaque on a layer, which is
 * then made translucent.
 */
function paintOnLayer(path: Path, canvas: Canvas): void {
  const { width, height } = canvas.canvas;
  const layer = createCanvas(width, height).getContext('2d');
  layer.setTransform(canvas.getTransform());
  layer.lineCap = 'round';
  layer.lineJoin = 'round';
  paintPath({ ...path, stroke: { ...path.stroke, alpha: 1 } }, layer);
  canvas.save();
  canvas.resetTransform();
  canvas.globalAlpha = path.stroke.alpha;
  canvas.drawImage(layer.canvas, 0, 0);
  canvas.restore();
  // Frees the pixels now instead of at the next garbage collection.
  layer.canvas.width = 0;
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
