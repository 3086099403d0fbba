const request = "{ title: 'é', data: [{ label: 'a', value: 1 }] }";

/** A program that draws in each format with the package of charts. */
export const drawInNode = `import { renderPdf, renderPng, renderSvg } from '@worktable/charts';
const files = [Buffer.from(renderSvg(${request})), renderPng(${request}).bytes, renderPdf(${request}).bytes];
const starts = files.map((bytes) => bytes.toString('latin1', 0, 4)).join(' ');
if (starts !== '<svg \\x89PNG %PDF') throw new Error(starts);
console.log('used');
`;

/** A program that draws an SVG in a page, and succeeds when the browser shows it. */
export const drawInPage = `import { renderSvg } from '@worktable/charts/svg';
const image = new Image();
image.src = 'data:image/svg+xml,' + encodeURIComponent(renderSvg(${request}));
await image.decode();
if (image.naturalWidth !== 800) throw new Error('The picture is not 800 pixels wide.');
console.log('used');
`;
