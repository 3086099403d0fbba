import * as operations from './generated/operations.ts';
import type { RequestOptions } from './options.ts';
import type { ChartLink, ChartLinkRequest, ChartRequest, VizStatus } from './resources.ts';
import { bodyOf, type Result } from './response.ts';
import type { Transport } from './transport.ts';

/** Operations that render charts. */
export interface Viz {
  /**
   * Service status and supported formats. Reports that charts can be rendered, and in which formats.
   *
   * @example
   * const { renders } = await client.viz.getStatus();
   */
  getStatus(options?: RequestOptions): Result<VizStatus>;
  /**
   * Render a chart to SVG. The chart as SVG markup, with real text, a name and a description for screen readers, and
   * without external references. Its text inherits no styles from a page. The response is JSON unless `Accept` names
   * `image/svg+xml`. This method requests the markup itself.
   *
   * @example
   * const { svg } = await client.viz.renderSvg({
   *   chart_type: 'bar',
   *   title: 'Tasks by status',
   *   data: [{ label: 'todo', value: 7 }, { label: 'done', value: 12 }],
   * });
   */
  renderSvg(chart: ChartRequest, options?: RequestOptions): Result<RenderedSvg>;
  /**
   * Render a chart to PNG. The chart as a PNG picture of `width` by `height` pixels, times `scale`. The response is base64
   * in JSON unless `Accept` names `image/png`. This method requests the bytes.
   *
   * @example
   * const png = await client.viz.renderPng({ chart_type: 'line', data: [{ label: 'Mon', value: 3 }] });
   * const address = URL.createObjectURL(png.toBlob());
   */
  renderPng(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
  /**
   * Render a chart to PDF. The chart as a PDF document of one page with real text. The response is base64 in JSON unless
   * `Accept` names `application/pdf`. This method requests the bytes.
   *
   * @example
   * const pdf = await client.viz.renderPdf({ chart_type: 'pie', data: [{ label: 'Work', value: 6 }] });
   * console.log(pdf.mediaType, pdf.bytes.length);
   */
  renderPdf(chart: ChartRequest, options?: RequestOptions): Result<RenderedChart>;
  /**
   * Create the address of a chart. An address that shows the chart to anybody until it expires, for example in an
   * `<img>` of an email or a Markdown page. The server stores nothing. The address contains the chart, so whoever has
   * it can read the data. It cannot be revoked. A chart whose address would have more than 6,144 characters is 400.
   *
   * @example
   * const chart = { title: 'Tasks by status', data: [{ label: 'todo', value: 7 }] };
   * const { url } = await client.viz.link({ chart, format: 'svg', expires_in: 7 * 86_400 });
   * const image = `<img src="${url}" alt="Tasks by status">`;
   */
  link(request: ChartLinkRequest, options?: RequestOptions): Result<ChartLink>;
}

export function createViz({ send, read }: Transport): Viz {
  type Render = typeof operations.renderSvg | typeof operations.renderPng | typeof operations.renderPdf;
  const render =
    <Chart>(operation: Render, mediaType: MediaType, complete: (chart: RenderedChart) => Chart) =>
    (body: ChartRequest, options?: RequestOptions): Result<Chart> => {
      // Without `accept`, the chart would be base64 in JSON, which is a third longer.
      return read(operation, { body, accept: mediaType, options }, async (response) => {
        bodyOf(response, mediaType);
        return complete(new Chart(mediaType, new Uint8Array(await response.arrayBuffer())));
      });
    };
  return {
    getStatus: (options) => send(operations.getVizStatus, { options }),
    renderSvg: render(operations.renderSvg, 'image/svg+xml', (chart) =>
      Object.assign(chart, { svg: new TextDecoder().decode(chart.bytes) }),
    ),
    renderPng: render(operations.renderPng, 'image/png', (chart) => chart),
    renderPdf: render(operations.renderPdf, 'application/pdf', (chart) => chart),
    link: (body, options) => send(operations.linkChart, { body, options }),
  };
}

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
