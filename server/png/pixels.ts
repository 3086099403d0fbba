/** The number of pixels of the largest band, without the row above it. */
export const bandPixels: i32 = 1_000_000;

/** The limits of the contract: pixels in a row, and rows in a band. */
const widest = 4096;
const highest = 4096;

/** The bytes of a SIMD load or store, which may reach beyond the end of a row. */
export const lanes = 16;

const pixelsMax = bandPixels + widest;

/** Blue, green, red and one unused. */
export const bytesPerPixel = 4;

/** Rows of pixels in the format of a canvas. */
export const pixels: usize = heap.alloc(pixelsMax * bytesPerPixel + lanes);

/** Space for a byte of each pixel and twice `lanes` a row. Fresh memory is zero. */
export function bytePerPixel(): usize {
  return heap.alloc(pixelsMax + highest * 2 * lanes);
}
