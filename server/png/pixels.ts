/** How many pixels the largest band has, without the row above it. */
export const bandPixels: i32 = 1_000_000;

/** The most pixels in a row, and rows in a band: as many as the contract allows. */
const widest = 4096;
const highest = 4096;

/** How much is read or written at a time; that may go beyond the end. */
export const lanes = 16;

const pixelsMax = bandPixels + widest;

/** Blue, green, red and one unused. */
export const bytesPerPixel = 4;

/** Rows of pixels, as a canvas has them. */
export const pixels: usize = heap.alloc(pixelsMax * bytesPerPixel + lanes);

/** Room for a byte of each pixel, and for twice `lanes` a row. It is zero, as nothing has been written to it. */
export function bytePerPixel(): usize {
  return heap.alloc(pixelsMax + highest * 2 * lanes);
}
