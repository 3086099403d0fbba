import type { Color } from '../color.ts';
import type { Area, Bar, Bars, Coordinates, Dots, Path, Scene, Texts, Wedge, Wedges } from '../scene.ts';

/** What outlines are drawn on: a canvas, or an SVG path or jsPDF page with the same methods. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  /** A line to the start of an arc, and then the arc. Angles are in radians, clockwise from three o'clock. */
  arc(x: number, y: number, radius: number, from: number, to: number, isCounterclockwise: boolean): void;
  closePath(): void;
}

/** Points as x, y, x, y, … */
export type Points = Coordinates | readonly number[];

/** What pictures are painted on: an SVG, a canvas, or a page of jsPDF. */
export interface Surface {
  /** Begins an outline that the next `fill` fills with this colour. */
  outline(color: Color): PathSink;
  fill(): void;
  /** Paints lines. If their ends are round, so are their corners. */
  stroke(lines: readonly Points[], style: Stroke, ends: 'butt' | 'round'): void;
  texts(texts: Texts): void;
}

/** The style of lines. */
export type Stroke = Pick<Path, 'stroke' | 'width' | 'dash'>;

/** Paints the shapes of a picture, in order. */
export function paint({ shapes }: Scene, surface: Surface): void {
  for (const shape of shapes) {
    if (shape.kind === 'texts') surface.texts(shape);
    else if (shape.kind === 'path') surface.stroke([shape.points], shape, 'round');
    else if (shape.kind === 'rules') {
      if (shape.lines.length > 0) surface.stroke(shape.lines, shape, 'butt');
    } else if (shape.kind === 'wedges')
      for (const wedge of shape.wedges) {
        traceWedge(surface.outline(wedge.fill), shape, wedge);
        surface.fill();
      }
    else {
      trace(surface.outline(shape.fill), shape);
      surface.fill();
    }
  }
}

function trace(path: PathSink, shape: Area | Bars | Dots): void {
  if (shape.kind === 'bars') for (const bar of shape.bars) traceBar(path, bar, shape.radius);
  else if (shape.kind === 'dots') traceDots(path, shape);
  else {
    traceLine(path, shape.points);
    path.closePath();
  }
}

function traceDots(path: PathSink, { centers, radius }: Dots): void {
  for (let i = 0; i < centers.length; i += 2) {
    const [x = 0, y = 0] = [centers[i], centers[i + 1]];
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI, false);
    path.closePath();
  }
}

const quarter = Math.PI / 2;
/** Each side of a bar, before the corner at its clockwise end. */
const sides: readonly Bar['rounded'][] = ['left', 'top', 'right', 'bottom'];

/** A bar. It has two round corners at one end, unless they would hardly be visible. */
function traceBar(path: PathSink, { x, y, width, height, rounded }: Bar, radiusMax: number): void {
  const radius = Math.min(radiusMax, rounded === 'left' || rounded === 'right' ? width : height);
  const end = sides.indexOf(rounded);
  // Clockwise from the foot of the bar. The first corner is at the top left.
  for (let i = 1; i <= 4; i++) {
    const corner = (end + i) % 4;
    const inset = i > 2 && rounded !== 'none' && radius >= 0.5 ? radius : 0;
    const atX = corner === 1 || corner === 2 ? x + width - inset : x + inset;
    const atY = corner >= 2 ? y + height - inset : y + inset;
    if (i === 1) path.moveTo(atX, atY);
    else if (inset === 0) path.lineTo(atX, atY);
    else path.arc(atX, atY, radius, (corner + 2) * quarter, (corner + 3) * quarter, false);
  }
  path.closePath();
}

/** A slice of a disc or ring. */
function traceWedge(path: PathSink, { x, y, radius, hole }: Wedges, { from, to }: Wedge): void {
  if (hole === 0) path.moveTo(x, y);
  else path.moveTo(x + Math.sin(from) * radius, y - Math.cos(from) * radius);
  path.arc(x, y, radius, from - quarter, to - quarter, false);
  if (hole > 0) path.arc(x, y, hole, to - quarter, from - quarter, true);
  path.closePath();
}

/** A line through points. */
export function traceLine(path: PathSink, points: Points): void {
  path.moveTo(points[0] ?? 0, points[1] ?? 0);
  for (let i = 2; i < points.length; i += 2) path.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * Makes a text have the direction of its first letter wherever it is drawn. Otherwise, punctuation, numbers and Latin
 * words at the end of Arabic and Hebrew texts would be on the right.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `${firstStrongIsolate}${text}${popDirectionalIsolate}` : text;
}
