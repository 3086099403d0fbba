import { InvalidResponseError } from './errors.ts';
import type { FetchResult } from './transport.ts';

/** A rendered chart as bytes. Methods are lost in a structured clone, such as the copy that a worker receives. */
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

type MediaType = RenderedChart['mediaType'];

/** The header that requests the chart itself instead of base64 in JSON, which is a third longer. */
export function accept(mediaType: MediaType): { readonly Accept: string } {
  return { Accept: `${mediaType}, application/problem+json` };
}

/** Reads the body as a chart. Throws if a successful response has another media type. */
export function withChart(
  { data, error, response }: FetchResult<ArrayBuffer>,
  mediaType: MediaType,
): FetchResult<RenderedChart> {
  if (data === undefined) return { error, response };
  const [type] = (response.headers.get('Content-Type') ?? '').split(';');
  if (type !== mediaType) throw new InvalidResponseError(`The response is not ${mediaType}.`);
  return { data: new Chart(mediaType, new Uint8Array(data)), response };
}

export function svgOf(chart: RenderedChart): RenderedSvg {
  return Object.assign(chart, { svg: new TextDecoder().decode(chart.bytes) });
}

/** A class, because a chart with a function as a property could not be cloned for a worker or a cache. */
class Chart implements RenderedChart {
  readonly mediaType;
  readonly bytes;

  constructor(mediaType: MediaType, bytes: Uint8Array<ArrayBuffer>) {
    this.mediaType = mediaType;
    this.bytes = bytes;
  }

  toBlob(): Blob {
    return new Blob([this.bytes], { type: this.mediaType });
  }
}
