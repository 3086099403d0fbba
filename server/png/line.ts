import { bytePerPixel, bytesPerPixel, lanes, pixels } from './pixels';

/** The coverage of each pixel, 0 to 255: by the line up to its last turn, and by its part since then, the swing. */
const line = bytePerPixel();
const swing = bytePerPixel();

let width = 0;
/** The distance from one row of the coverage to the next: a multiple of `lanes`, with room for three more pixels. */
let stride = 0;
let height = 0;
/** The largest distance from the middle of the line at which a pixel is covered in part. */
let reach: f32 = 0;
/** The position of the pen. Whole numbers are the centres of pixels. */
let penX: f32 = 0;
let penY: f32 = 0;
/** The vertical direction of the swing, 1 or -1 (0 while the line is level), and its extreme so far. */
let direction: f32 = 0;
let extreme: f32 = 0;

/** The rows and columns that the swing has touched. */
let top = 0;
let bottom = -1;
let left = 0;
let right = -1;

/**
 * Begins a line with round ends and joints over rows of `pixels`. It resembles a stroke of cairo, which
 * for a jagged line of a thousand points costs several times the rest of the picture.
 */
export function startLine(pixelsPerRow: i32, rows: i32, lineWidth: f32, x: f32, y: f32): void {
  width = pixelsPerRow;
  stride = (width + 3 + lanes) & ~(lanes - 1);
  height = rows;
  reach = lineWidth / 2 + 0.5;
  penX = x - 0.5;
  penY = y - 0.5;
  direction = 0;
  extreme = penY;
  forgetSwing();
}

export function lineTo(x: f32, y: f32): void {
  const dx = x - 0.5 - penX;
  const dy = y - 0.5 - penY;
  const ahead = direction === 0 ? abs(penY + dy - extreme) : (penY + dy - extreme) * direction;
  const hasTurned = ahead < 2 - 4 * reach;
  // Add the coverage of swings, which lie side by side. Within a swing segments overlap, so take the maximum.
  if (hasTurned) addSwing();
  if (ahead > 0 || hasTurned) {
    direction = penY + dy > extreme ? 1 : -1;
    extreme = penY + dy;
  }
  cover(dx, dy);
  penX += dx;
  penY += dy;
}

/** Covers the pixels whose centres are within reach of the segment that starts at the pen. */
function cover(dx: f32, dy: f32): void {
  const length = sqrt(dx * dx + dy * dy);
  const leftmost = max<f32>(0, min(penX, penX + dx) - reach);
  const rightmost = min<f32>(<f32>(width - 1), max(penX, penX + dx) + reach);
  const first = <i32>max<f32>(0, ceil(min(penY, penY + dy) - reach));
  const last = <i32>min<f32>(<f32>(height - 1), floor(max(penY, penY + dy) + reach));
  if (first > last) return;
  const perRow: f32 = dy === 0 ? 0 : dx / dy;
  const halfWidth: f32 = dy === 0 ? <f32>width : (reach * length) / abs(dy);
  // A segment without a length is a dot, whatever its direction.
  const rightward: f32 = length === 0 ? 1 : dx / length;
  const downward: f32 = length === 0 ? 0 : dy / length;
  for (let y = first; y <= last; y++) {
    const down = <f32>y - penY;
    const from = penX + down * perRow - halfWidth;
    const to = penX + down * perRow + halfWidth;
    // Conditionals are faster than min and max, which check for NaN.
    const start = ceil(from > leftmost ? from : leftmost);
    const end = floor(to < rightmost ? to : rightmost);
    const x = start - penX;
    coverRow(
      swing + y * stride + <i32>start,
      swing + y * stride + <i32>end,
      x * rightward + down * downward,
      x * downward - down * rightward,
      rightward,
      downward,
      length,
    );
  }
  top = min(top, first);
  bottom = max(bottom, last);
  left = min(left, <i32>leftmost);
  right = max(right, <i32>ceil(rightmost) + 3);
}

/** Covers pixels of a row, four at a time. */
function coverRow(
  first: usize,
  last: usize,
  alongAt: f32,
  acrossAt: f32,
  rightward: f32,
  downward: f32,
  length: f32,
): void {
  let along = f32x4.add(f32x4.splat(alongAt), f32x4.mul(f32x4(0, 1, 2, 3), f32x4.splat(rightward)));
  let across = f32x4.add(f32x4.splat(acrossAt), f32x4.mul(f32x4(0, 1, 2, 3), f32x4.splat(downward)));
  for (let at = first; at <= last; at += 4) {
    const before = f32x4.pmax(f32x4.neg(along), f32x4.splat(0));
    const beyond = f32x4.pmax(before, f32x4.sub(along, f32x4.splat(length)));
    const distance = f32x4.sqrt(f32x4.add(f32x4.mul(across, across), f32x4.mul(beyond, beyond)));
    const covered = f32x4.mul(f32x4.sub(f32x4.splat(reach), distance), f32x4.splat(255));
    v128.store32_lane(at, i8x16.max_u(v128.load32_zero(at), bytesOf(covered)), 0);
    along = f32x4.add(along, f32x4.splat(4 * rightward));
    across = f32x4.add(across, f32x4.splat(4 * downward));
  }
}

/** Four numbers as bytes, clamped to 0 and 255. */
function bytesOf(numbers: v128): v128 {
  const halves = i16x8.narrow_i32x4_u(i32x4.trunc_sat_f32x4_s(numbers), i32x4.splat(0));
  return i8x16.narrow_i16x8_u(halves, i16x8.splat(0));
}

/** Adds the coverage of the swing to that of the line. */
function addSwing(): void {
  for (let y = top; y <= bottom; y++) {
    const from = y * stride + left;
    for (let at = from; at <= from + right - left; at += lanes) {
      v128.store(line + at, v128.add_sat<u8>(v128.load(line + at), v128.load(swing + at)));
      v128.store(swing + at, v128.splat<u8>(0));
    }
  }
  forgetSwing();
}

function forgetSwing(): void {
  top = height;
  bottom = -1;
  left = width;
  right = -1;
}

/** Mixes the colour, 0xRRGGBB and its opacity 0 to 1, into the pixels that the line covers. */
export function endLine(color: u32, opacity: f32): void {
  const opacityParts = <u32>nearest(opacity * 256);
  addSwing();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < stride; x += lanes) {
      const at = line + y * stride + x;
      let covered = i8x16.bitmask(v128.ne<u8>(v128.load(at), v128.splat<u8>(0)));
      if (covered === 0) continue;
      // Ignore coverage beyond the end of the row.
      if (width - x < lanes) covered &= (1 << max(0, width - x)) - 1;
      for (; covered !== 0; covered &= covered - 1) {
        const i = ctz(covered);
        blend(pixels + (y * width + x + i) * bytesPerPixel, color, (load<u8>(at + i) * opacityParts) / 255);
      }
      v128.store(at, v128.splat<u8>(0));
    }
  }
}

/** Blends a colour into a pixel, `parts` of 256. */
function blend(pixel: usize, color: u32, parts: u32): void {
  const before = load<u32>(pixel);
  const redAndBlue = (before & 0xff00ff) * (256 - parts) + (color & 0xff00ff) * parts;
  const green = (before & 0x00ff00) * (256 - parts) + (color & 0x00ff00) * parts;
  store<u32>(pixel, ((redAndBlue >> 8) & 0xff00ff) | ((green >> 8) & 0x00ff00));
}
