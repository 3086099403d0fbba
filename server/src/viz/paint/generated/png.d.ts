/** Exported memory */
export declare const memory: { readonly buffer: ArrayBuffer };
/**
 * server/png/palette/addColor
 * @param color `u32`
 */
export declare function addColor(color: number): void;
/**
 * server/png/palette/addSteps
 */
export declare function addSteps(): void;
/**
 * server/png/palette/colorAt
 * @param place `i32`
 * @returns `u32`
 */
export declare function colorAt(place: number): number;
/**
 * server/png/palette/colorCount
 * @returns `i32`
 */
export declare function colorCount(): number;
/**
 * server/png/palette/startPalette
 */
export declare function startPalette(): void;
/** server/png/pixels/bandPixels */
export declare const bandPixels: {
  /** @type `i32` */
  get value(): number
};
/** server/png/pixels/pixels */
export declare const pixels: {
  /** @type `usize` */
  get value(): number
};
/**
 * server/png/line/endLine
 * @param color `u32`
 * @param opacity `f32`
 */
export declare function endLine(color: number, opacity: number): void;
/**
 * server/png/line/lineTo
 * @param x `f32`
 * @param y `f32`
 */
export declare function lineTo(x: number, y: number): void;
/**
 * server/png/line/startLine
 * @param pixelsPerRow `i32`
 * @param rows `i32`
 * @param lineWidth `f32`
 * @param x `f32`
 * @param y `f32`
 */
export declare function startLine(pixelsPerRow: number, rows: number, lineWidth: number, x: number, y: number): void;
/**
 * server/png/rows/addRows
 * @param first `i32`
 * @param count `i32`
 */
export declare function addRows(first: number, count: number): void;
/**
 * server/png/rows/endRows
 * @returns `i32`
 */
export declare function endRows(): number;
/**
 * server/png/rows/startRows
 * @param pixelsPerRow `i32`
 */
export declare function startRows(pixelsPerRow: number): void;
/**
 * server/png/deflate/output
 * @returns `usize`
 */
export declare function output(): number;
