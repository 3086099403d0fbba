import { channelsOf, type Color } from '../color.ts';
import type { Coordinates, Path } from '../scene.ts';

/** Rows of a picture from `top` on: of each pixel four bytes, which are blue, green, red and one unused. */
export interface Rows {
  readonly width: number;
  readonly top: number;
  readonly pixels: Int32Array;
}

/** How much of each pixel is covered, 0 to 255, row by row. */
interface Coverage {
  /** By all of the line that is drawn already. */
  readonly drawn: Uint8Array;
  /** By the swing that is not, and the places of the pixels that it covers at all. */
  readonly shares: Uint8Array;
  readonly places: Int32Array;
  count: number;
}

/**
 * Draws a line with round ends and joints over what the rows show. It comes near a stroke of cairo, whose cost for a
 * jagged line of a thousand points is several times that of all else in the picture.
 */
export function rasterLine(rows: Rows, { stroke, width, points }: Path): void {
  const { length } = rows.pixels;
  const coverage: Coverage = {
    drawn: new Uint8Array(length),
    shares: new Uint8Array(length),
    places: new Int32Array(length),
    count: 0,
  };
  let extreme = points[1] ?? 0;
  let direction = 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const y = points[i + 3] ?? 0;
    const ahead = direction === 0 ? Math.abs(y - extreme) : (y - extreme) * direction;
    const hasTurned = ahead < -2 * width;
    // Swings lie side by side: those that cover halves of one pixel cover all of it. Shorter ones cover each other.
    if (hasTurned) blend(rows.pixels, coverage, stroke);
    if (ahead > 0 || hasTurned) {
      direction = Math.sign(y - extreme);
      extreme = y;
    }
    cover(coverage, rows, points, i, width / 2 + 0.5);
  }
  blend(rows.pixels, coverage, stroke);
}

/** Covers the pixels whose centres are nearer to a segment than `reach`, those within a pixel of that in part. */
function cover(
  coverage: Coverage,
  { width, top, pixels }: Rows,
  points: Coordinates,
  i: number,
  reach: number,
): void {
  const { drawn, shares, places } = coverage;
  // From here on, whole numbers are the middles of pixels.
  const x = (points[i] ?? 0) - 0.5;
  const y = (points[i + 1] ?? 0) - 0.5 - top;
  const dx = (points[i + 2] ?? 0) - 0.5 - x;
  const dy = (points[i + 3] ?? 0) - 0.5 - top - y;
  const length = Math.sqrt(dx * dx + dy * dy) || 1;
  const perRow = dy === 0 ? 0 : dx / dy;
  const halfWidth = dy === 0 ? Infinity : (reach * length) / Math.abs(dy);
  const leftmost = Math.max(0, Math.min(x, x + dx) - reach);
  const rightmost = Math.min(width - 1, Math.max(x, x + dx) + reach);
  const first = Math.max(0, Math.ceil(Math.min(y, y + dy) - reach));
  const last = Math.min(pixels.length / width - 1, Math.floor(Math.max(y, y + dy) + reach));
  for (let row = first; row <= last; row++) {
    const down = row - y;
    const middle = x + down * perRow;
    const end = Math.min(rightmost, middle + halfWidth);
    for (let column = Math.ceil(Math.max(leftmost, middle - halfWidth)); column <= end; column++) {
      const at = row * width + column;
      const share = shares[at] ?? 0;
      if (share === 255 || drawn[at] === 255) continue;
      const right = column - x;
      const along = (right * dx + down * dy) / length;
      const across = Math.abs(right * dy - down * dx) / length;
      const beyond = along < 0 ? along : Math.max(0, along - length);
      const distance = beyond === 0 ? across : Math.sqrt(across * across + beyond * beyond);
      const more = Math.min(255, Math.floor((reach - distance) * 255));
      if (more <= share) continue;
      shares[at] = more;
      if (share === 0) places[coverage.count++] = at;
    }
  }
}

/** Mixes the colour into the pixels of a swing, as much as it adds to what is drawn. */
function blend(pixels: Int32Array, coverage: Coverage, { hex, alpha }: Color): void {
  const { drawn, shares, places, count } = coverage;
  const [red, green, blue] = channelsOf({ hex, alpha });
  for (let i = 0; i < count; i++) {
    const at = places[i] ?? 0;
    const before = drawn[at] ?? 0;
    const after = Math.min(255, before + (shares[at] ?? 0));
    const opacity = (alpha * (after - before)) / (255 - alpha * before);
    const pixel = pixels[at] ?? 0;
    pixels[at] =
      (pixel & 0xff000000) |
      (mixed((pixel >> 16) & 255, red, opacity) << 16) |
      (mixed((pixel >> 8) & 255, green, opacity) << 8) |
      mixed(pixel & 255, blue, opacity);
    drawn[at] = after;
    shares[at] = 0;
  }
  coverage.count = 0;
}

function mixed(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}
