import { endStream, startStream } from './deflate';
import { compress, farthest, startMatches } from './matches';
import { placeOf } from './palette';
import { bytePerPixel, bytesPerPixel, lanes, pixels } from './pixels';

const adlerBase = 65521;

/**
 * Of each row of a band a zero, as no filter is used, and the places of its pixels in the palette. Before them is what
 * matches may go back to of the bands above.
 */
const window = bytePerPixel(farthest);
const band = window + farthest;

let width = 0;
/** From one row to the next: in pixels, and in the band. */
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
  startStream();
  startMatches(perRow);
}

/** Adds so many rows of `pixels`. But for the very first, the first of them is one that has been added. */
export function addRows(count: i32): void {
  let row = band;
  if (isFirst) row = addFirstRow(row);
  isFirst = false;
  for (let y = 1; y < count; y++) row = addRow(pixels + y * above, row);
  compress(band, row);
  memory.copy(window, row - farthest, farthest);
}

function addFirstRow(row: usize): usize {
  memory.fill(row, 0, perRow);
  for (let x = 0; x < width; x++) setPlace(row, x, placeOf(load<u32>(pixels + x * bytesPerPixel)));
  addToChecksum();
  return row + perRow;
}

/** Adds a row, of which nearly all pixels are like those above. */
function addRow(first: usize, row: usize): usize {
  memory.copy(row, row - perRow, perRow);
  const end = first + above;
  for (let pixel = skipEqual(first, end); pixel < end; pixel = skipEqual(pixel, end)) {
    for (const four = min(end, pixel + lanes); pixel < four; pixel += bytesPerPixel) {
      if (load<u32>(pixel) === load<u32>(pixel - above)) continue;
      setPlace(row, <i32>(pixel - first) / bytesPerPixel, placeOf(load<u32>(pixel)));
    }
  }
  addToChecksum();
  return row + perRow;
}

/** The first pixel from here on, or up to three before it, that differs from the one above. */
function skipEqual(from: usize, end: usize): usize {
  let pixel = from;
  while (pixel < end && !v128.any_true(v128.xor(v128.load(pixel), v128.load(pixel - above)))) pixel += lanes;
  return pixel;
}

function setPlace(row: usize, x: i32, place: i32): void {
  const at = row + 1 + x;
  const change = place - load<u8>(at);
  store<u8>(at, place);
  rowSum += change;
  // A byte counts once for itself and once for each byte of its row that comes after it.
  rowSumOfSums += change * (width - x);
}

function addToChecksum(): void {
  sumOfSums = (sumOfSums + sum * perRow + rowSumOfSums) % adlerBase;
  sum = (sum + rowSum) % adlerBase;
}

/** Ends the rows. They are as many bytes of compressed data as this returns, from `output` on. */
export function endRows(): i32 {
  return endStream((sumOfSums << 16) | sum);
}
