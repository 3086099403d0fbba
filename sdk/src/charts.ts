import { bytesFromBase64 } from './base64.ts';
import { InvalidResponseError } from './errors.ts';

/** A rendered chart as bytes. */
export interface RenderedChart {
  readonly mediaType: 'image/svg+xml' | 'image/png' | 'application/pdf';
  readonly bytes: Uint8Array;
  /** The bytes as a `Blob` of the media type. */
  toBlob(): Blob;
}

/** A chart rendered to SVG. */
export interface RenderedSvg extends RenderedChart {
  /** The SVG markup as a string. `bytes` is the same markup in UTF-8. */
  readonly svg: string;
}

/** `svg` is unknown because the SDK does not validate the fields of a response. */
export function svgOf(svg: unknown): RenderedSvg {
  if (typeof svg !== 'string') throw new InvalidResponseError('The response has no SVG markup.');
  return { svg, ...renderedChart('image/svg+xml', new TextEncoder().encode(svg)) };
}

export function chartOf(mediaType: RenderedChart['mediaType'], base64: string): RenderedChart {
  return renderedChart(mediaType, bytesFromBase64(base64));
}

function renderedChart(mediaType: RenderedChart['mediaType'], bytes: Uint8Array<ArrayBuffer>): RenderedChart {
  return { mediaType, bytes, toBlob: () => new Blob([bytes], { type: mediaType }) };
}
