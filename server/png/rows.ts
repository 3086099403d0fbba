import { endStream, startStream } from './deflate';
import { compress, farthest, startMatches } from './matches';
import { placeOf } from './palette';
import { bytesPerPixel, lanes, pixels } from './pixels';

const adlerBase = 65521;

/**
 * Of each row a zero, as no filter is used, and the places of its pixels in the palette: the rows that are not compressed
 * yet, and before them what matches may go back to.
 */
const rowsMax = 131_072;
const window = heap.alloc(farthest + rowsMax + lanes);
const rows = window + farthest;
let row = rows;

let width = 0;
/** From one row to the next: in pixels, and in `rows`. */
let above = 0;
let perRow = 0;
let isFirst = true;

/** Adler-32 (RFC 1950, section 9) of all that was added, and what its last row adds to it. */
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

/** Adds so many rows of `pixels` from `first` on. But for the very first, the row above has been added and is still there. */
export function addRows(first: i32, count: i32): void {
  for (let y = first; y < first + count; y++) {
    startRow();
    if (isFirst) placeAll(pixels + y * above);
    else placeChanges(pixels + y * above);
    endRow();
  }
}

/** Adds the last row so many times more. */
export function repeatRow(times: i32): void {
  for (let i = 0; i < times; i++) {
    startRow();
    endRow();
  }
}

/** A row begins as the one above, as nearly all of its pixels are. */
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

/** The first pixel from here on, or up to three before it, that differs from the one above. */
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
  // A byte counts once for itself and once for each byte of its row that comes after it.
  rowSumOfSums += change * (width - x);
}

/** Ends the rows. They are as many bytes of compressed data as this returns, from `output` on. */
export function endRows(): i32 {
  compressRows();
  return endStream((sumOfSums << 16) | sum);
}
