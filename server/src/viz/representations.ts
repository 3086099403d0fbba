import type { Representations } from '../operation.ts';

/** The pictures themselves, for clients that accept them. */
export const svgItself: Representations<'renderSvg'> = {
  'image/svg+xml': { fileName: 'chart.svg', bytesOf: ({ svg }) => Buffer.from(svg) },
};

export const pngItself: Representations<'renderPng'> = {
  'image/png': { fileName: 'chart.png', bytesOf: ({ png_base64: base64 }) => Buffer.from(base64, 'base64') },
};

export const pdfItself: Representations<'renderPdf'> = {
  'application/pdf': {
    fileName: 'chart.pdf',
    bytesOf: ({ pdf_base64: base64 }) => Buffer.from(base64, 'base64'),
  },
};
