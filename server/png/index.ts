/**
 * From the pixels of a chart to the compressed rows of a PNG, in AssemblyScript: as WebAssembly this takes half of what
 * it takes in JavaScript. `npm run png` compiles it. One picture at a time: its colours, its rows band by band from the
 * top, the end of its rows.
 */
export { addColor, addSteps, colorAt, colorCount, startPalette } from './palette';
export { bandPixels, pixels } from './pixels';
export { endLine, lineTo, startLine } from './line';
export { addRows, endRows, repeatRow, startRows } from './rows';
export { output } from './deflate';
