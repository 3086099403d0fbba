import type { Bar, Wedge, Wedges } from '../scene.ts';

/** What outlines are drawn on: a canvas, or an SVG path or jsPDF page with the same methods. */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cornerX: number, cornerY: number, x: number, y: number): void;
  /** A line to the start of an arc, and then the arc. Angles are in radians, clockwise from three o'clock. */
  arc(x: number, y: number, radius: number, from: number, to: number, isCounterclockwise: boolean): void;
  closePath(): void;
}

/** A bar with two round corners at one end. */
export function traceRoundedBar(path: PathSink, bar: Bar, radius: number): void {
  const { x, y, width, height, rounded } = bar;
  const [right, bottom] = [x + width, y + height];
  if (rounded === 'left' || rounded === 'right') {
    const [foot, head, side] = rounded === 'left' ? [right, x, x + radius] : [x, right, right - radius];
    path.moveTo(foot, y);
    path.lineTo(side, y);
    path.quadraticCurveTo(head, y, head, y + radius);
    path.lineTo(head, bottom - radius);
    path.quadraticCurveTo(head, bottom, side, bottom);
    path.lineTo(foot, bottom);
  } else {
    const [foot, head, side] = rounded === 'top' ? [bottom, y, y + radius] : [y, bottom, bottom - radius];
    path.moveTo(x, foot);
    path.lineTo(x, side);
    path.quadraticCurveTo(x, head, x + radius, head);
    path.lineTo(right - radius, head);
    path.quadraticCurveTo(right, head, right, side);
    path.lineTo(right, foot);
  }
  path.closePath();
}

const quarter = Math.PI / 2;

/** A slice of a disc or ring. */
export function traceWedge(path: PathSink, { x, y, radius, hole }: Wedges, { from, to }: Wedge): void {
  if (hole === 0) path.moveTo(x, y);
  else path.moveTo(x + Math.sin(from) * radius, y - Math.cos(from) * radius);
  path.arc(x, y, radius, from - quarter, to - quarter, false);
  if (hole > 0) path.arc(x, y, hole, to - quarter, from - quarter, true);
  path.closePath();
}

/** A line through points: x, y, x, y, … */
export function traceLine(path: PathSink, points: ArrayLike<number>): void {
  for (let i = 0; i < points.length; i += 2) {
    if (i === 0) path.moveTo(points[0] ?? 0, points[1] ?? 0);
    else path.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
  }
}
