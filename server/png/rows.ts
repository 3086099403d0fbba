import { endStream, startStream } from './deflate';
import { compress, farthest, startMatches } from './matches';
import { placeOf } from './palette';
import { bytesPerPixel, lanes, pixels } from './pixels';

const adlerBase = 65521;

/**
 * For each row the filter type 0 (None) and the palette indexes of its pixels: the rows to compress, and before them
 * the window that matches may refer to.
 */
const rowsMax = 131_072;
const window = heap.alloc(farthest + rowsMax + lanes);
const rows = window + farthest;
let row = rows;

let width = 0;
/** The distance from one row to the next, in `pixels` and in `rows`. */
let above = 0;
let perRow = 0;
let isFirst = true;

/** Adler-32 (RFC 1950, section 9) of all rows so far, and the contribution of the last row. */
let sum: u32 = 1;
let sumOfSums: u32 = 0;
let rowSum: u32 = 0;
let rowSumOfSums: u32 = 0;

export function startRows(pixelsPerRow: i32): void {
  width = pixelsPerRow;
  above = width * bytesPerPixel;
  perRow = width + 1;
  isFirst = true;
  sum = 1;
  sumOfSums = rowSum = rowSumOfSums = 0;
  row = rows;
  startStream();
  startMatches(perRow);
}

/** Adds `count` rows of `pixels` from `first` on. Except in the first call, the row above must be the last one added. */
export function addRows(first: i32, count: i32): void {
  for (let y = first; y < first + count; y++) {
    startRow();
    if (isFirst) placeAll(pixels + y * above);
    else placeChanges(pixels + y * above);
    endRow();
  }
}

/** Starts a row as a copy of the one above, because nearly all pixels are equal. */
function startRow(): void {
  if (row + perRow > rows + rowsMax) compressRows();
  if (isFirst) memory.fill(row, 0, perRow);
  else memory.copy(row, row - perRow, perRow);
}

function endRow(): void {
  sumOfSums = (sumOfSums + sum * perRow + rowSumOfSums) % adlerBase;
  sum = (sum + rowSum) % adlerBase;
  row += perRow;
  isFirst = false;
}

function compressRows(): void {
  compress(rows, row);
  memory.copy(window, row - farthest, farthest);
  row = rows;
}

function placeAll(first: usize): void {
  for (let x = 0; x < width; x++) setPlace(x, placeOf(load<u32>(first + x * bytesPerPixel)));
}

function placeChanges(first: usize): void {
  const end = first + above;
  for (let pixel = skipEqual(first, end); pixel < end; pixel = skipEqual(pixel, end)) {
    for (const four = min(end, pixel + lanes); pixel < four; pixel += bytesPerPixel) {
      if (load<u32>(pixel) === load<u32>(pixel - above)) continue;
      setPlace(<i32>(pixel - first) / bytesPerPixel, placeOf(load<u32>(pixel)));
    }
  }
}

/** The next pixel that differs from the one above, or a pixel up to three before it. */
function skipEqual(from: usize, end: usize): usize {
  let pixel = from;
  while (pixel < end && !v128.any_true(v128.xor(v128.load(pixel), v128.load(pixel - above)))) pixel += lanes;
  return pixel;
}

function setPlace(x: i32, place: i32): void {
  const at = row + 1 + x;
  const change = place - load<u8>(at);
  store<u8>(at, place);
  rowSum += change;
  // In the sum of sums a byte counts once for itself and once for each later byte of its row.
  rowSumOfSums += change * (width - x);
}

/** Ends the rows. Returns the number of compressed bytes, which start at `output`. */
export function endRows(): i32 {
  compressRows();
  return endStream((sumOfSums << 16) | sum);
}
