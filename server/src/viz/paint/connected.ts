import type { Coordinates } from '../scene.ts';

// Steps up to this many tenths are written once and then looked up: nearly all of a long line are shorter.
const longest = 2048;
const lengths = new Uint8Array(2 * longest);
// The text of each as the bytes of a number, which is written at one go. It has at most seven; the eighth stays zero, as
// otherwise some would be NaN, of which the bits may change.
const texts = new Float64Array(2 * longest);

// Written into memory, as a string that grows by each step takes twice as long.
const written = Buffer.alloc(16_384);
const view = new DataView(written.buffer, written.byteOffset, written.length);
const roomForPoint = 16;

/** The path of an SVG through the points, each given by its step from the one before, in tenths of a pixel. */
export function connected(points: Coordinates): string {
  let x = tenths(points[0]);
  let y = tenths(points[1]);
  let path = `M${x / 10} ${y / 10}l`;
  let end = 0;
  for (let i = 2; i < points.length; i += 2) {
    const dx = tenths(points[i]) - x;
    const dy = tenths(points[i + 1]) - y;
    x += dx;
    y += dy;
    if (isShort(dx) && isShort(dy) && end + roomForPoint <= written.length) {
      end = write(dy, write(dx, end));
    } else {
      // A long step, or no room: what was written goes before it.
      path += written.toString('latin1', 0, end) + separated(dx) + separated(dy);
      end = 0;
    }
  }
  return path + written.toString('latin1', 0, end);
}

function isShort(step: number): boolean {
  return step >= -longest && step < longest;
}

/** Writes a short step from `start`, and returns its end. */
function write(step: number, start: number): number {
  const place = step + longest;
  if (lengths[place] === 0) remember(step, place);
  view.setFloat64(start, texts[place] ?? 0, true);
  return start + (lengths[place] ?? 0);
}

function remember(step: number, place: number): void {
  const text = Buffer.alloc(8);
  lengths[place] = text.write(separated(step));
  texts[place] = text.readDoubleLE();
}

/** A minus sign separates numbers by itself, and a number below one needs no zero. */
function separated(tenths: number): string {
  const text = String(tenths / 10).replace(/^(-?)0\./, '$1.');
  return tenths < 0 ? text : ` ${text}`;
}

function tenths(value = 0): number {
  return Math.round(value * 10);
}
