import { bytesFromBase64 } from './base64.ts';
import { InvalidResponseError } from './errors.ts';

/** A picture or document that the server has rendered. */
export interface RenderedChart {
  readonly mediaType: 'image/svg+xml' | 'image/png' | 'application/pdf';
  readonly bytes: Uint8Array;
  toBlob(): Blob;
}

export interface RenderedSvg extends RenderedChart {
  /** The markup as text. */
  readonly svg: string;
}

/** The picture of whatever stands where the contract has markup. */
export function svgOf(svg: unknown): RenderedSvg {
  if (typeof svg !== 'string') throw new InvalidResponseError('The answer has no markup.');
  return { svg, ...rendered('image/svg+xml', new TextEncoder().encode(svg)) };
}

export function chartOf(mediaType: RenderedChart['mediaType'], base64: string): RenderedChart {
  return rendered(mediaType, bytesFromBase64(base64));
}

function rendered(mediaType: RenderedChart['mediaType'], bytes: Uint8Array<ArrayBuffer>): RenderedChart {
  return { mediaType, bytes, toBlob: () => new Blob([bytes], { type: mediaType }) };
}
