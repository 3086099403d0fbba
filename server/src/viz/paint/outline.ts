import { isWhole, type Bar, type Wedge, type Wedges } from '../scene.ts';

/**
 * The target of outlines: the data of an SVG path, a canvas, or a page of jsPDF. Lengths are in pixels, angles in
 * radians.
 */
export interface PathSink {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  /** A quadratic Bézier curve to x, y. Its control point is the corner that it rounds. */
  roundTo(cornerX: number, cornerY: number, x: number, y: number): void;
  /** A line to the start of an arc, and the arc, clockwise if `from` is less than `to`. The angles count from twelve o'clock. */
  arcTo(x: number, y: number, arc: Arc): void;
  close(): void;
}

export interface Arc {
  readonly radius: number;
  readonly from: number;
  readonly to: number;
}

/** The target of an outline without arcs. */
type Lines = Omit<PathSink, 'arcTo'>;

/** A bar with two round corners at one of its ends. */
export function traceRoundedBar(path: Lines, bar: Bar, radius: number): void {
  const { x, y, width, height, rounded } = bar;
  if (rounded === 'left' || rounded === 'right') {
    const upright = { x: y, y: x, width: height, height: width } as const;
    traceRoundedBar(mirrored(path), { ...upright, rounded: rounded === 'left' ? 'top' : 'bottom' }, radius);
    return;
  }
  const [foot, head, sign] = rounded === 'top' ? [y + height, y, 1] : [y, y + height, -1];
  const right = x + width;
  const side = head + sign * radius;
  path.moveTo(x, foot);
  path.lineTo(x, side);
  path.roundTo(x, head, x + radius, head);
  path.lineTo(right - radius, head);
  path.roundTo(right, head, right, side);
  path.lineTo(right, foot);
  path.close();
}

/** Traces lines and curves with x and y exchanged. */
function mirrored(path: Lines): Lines {
  return {
    moveTo: (x, y) => {
      path.moveTo(y, x);
    },
    lineTo: (x, y) => {
      path.lineTo(y, x);
    },
    roundTo: (cornerX, cornerY, x, y) => {
      path.roundTo(cornerY, cornerX, y, x);
    },
    close: () => {
      path.close();
    },
  };
}

/** A slice of a ring, or a slice of a disc that is not the whole disc. */
export function traceWedge(path: PathSink, { x, y, radius, hole }: Wedges, wedge: Wedge): void {
  const { from, to } = wedge;
  if (hole === 0) path.moveTo(x, y);
  else path.moveTo(x + Math.sin(from) * radius, y - Math.cos(from) * radius);
  path.arcTo(x, y, { radius, from, to });
  // The two circles of a whole ring are not connected.
  if (hole > 0 && isWhole(wedge)) {
    path.close();
    path.moveTo(x + Math.sin(to) * hole, y - Math.cos(to) * hole);
  }
  if (hole > 0) path.arcTo(x, y, { radius: hole, from: to, to: from });
  path.close();
}

/** A line from point to point: x, y, x, y, … */
export function traceLine(path: PathSink, points: ArrayLike<number>): void {
  for (let i = 0; i < points.length; i += 2) {
    if (i === 0) path.moveTo(points[0] ?? 0, points[1] ?? 0);
    else path.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
  }
}
