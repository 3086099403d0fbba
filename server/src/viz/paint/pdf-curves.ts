/** A step of a path relative to where it starts: a line to x, y or a Bézier curve with its two control points. */
export type Segment = number[];

/** A quadratic curve with its control point at a corner, as the cubic curve that PDF supports. */
export function bend(cornerX: number, cornerY: number, x: number, y: number): Segment {
  return [
    (cornerX * 2) / 3,
    (cornerY * 2) / 3,
    x + ((cornerX - x) * 2) / 3,
    y + ((cornerY - y) * 2) / 3,
    x,
    y,
  ];
}

/** An arc clockwise from twelve o'clock, in curves of at most a quarter of the circle. */
export function arc(radius: number, from: number, to: number): Segment[] {
  const count = Math.max(1, Math.ceil((to - from) / (Math.PI / 2)));
  const sweep = (to - from) / count;
  const pull = (4 / 3) * Math.tan(sweep / 4);
  return Array.from({ length: count }, (_, i) => {
    const [a, b] = [from + i * sweep, from + (i + 1) * sweep];
    const [dx, dy] = [Math.sin(b) - Math.sin(a), Math.cos(a) - Math.cos(b)];
    return [
      pull * Math.cos(a),
      pull * Math.sin(a),
      dx - pull * Math.cos(b),
      dy - pull * Math.sin(b),
      dx,
      dy,
    ].map((each) => each * radius);
  });
}
